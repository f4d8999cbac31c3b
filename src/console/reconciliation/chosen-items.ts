import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { BusinessDay } from '../../domain/business-day.ts';
import { isLineId } from '../../domain/statement-line.ts';
import type { QueryFailure } from '../../queries/failure/query-failure.ts';
import { shownText } from '../../queries/masking/shown-text.ts';
import { orderSearch } from '../../queries/orders/order-filter-parameters.ts';
import type { Query } from '../../queries/parameters/parameters.ts';
import type { MATCH_ITEM_PARAMETERS } from '../../queries/reconciliation/reconciliation-parameters.ts';
import { EVERY_ORDER } from '../../read-models/order-filter.ts';
import type { LargePageDependencies } from '../large-page-dependencies.ts';
import { daysOfAge, type CHOOSING } from './list-parameters.ts';

/** The items that the page shows, as the interface is asked for them. */
export type ChosenItems = {
  readonly query: Query<typeof MATCH_ITEM_PARAMETERS>;
  /** Items in any open state are meant. */
  readonly isOpen: boolean;
  /** Of a line that the items must have; null: any. */
  readonly reference: string | null;
};

type Named = { readonly orderId: string | null; readonly lineId: string | null; readonly reference: string | null };

const NOTHING_NAMED: Named = { orderId: null, lineId: null, reference: null };

/**
 * The order that a text names, or a line; any other text is taken for a reference of lines. An e-mail address in a reference
 * is masked, and nothing is found by it.
 */
const named =
  ({ readModels, now }: Pick<LargePageDependencies, 'readModels' | 'now'>, text: string) =>
  async (): Promise<E.Either<QueryFailure, Named>> => {
    if (isLineId(text)) return E.right({ ...NOTHING_NAMED, lineId: text });
    const filter = { ...EVERY_ORDER, q: orderSearch(text, 'guarded') };
    const found = await readModels.orders({ filter, after: null, limit: 1, now: now(), counted: false })();
    if (E.isLeft(found)) return found;
    const orderId = found.right.data[0]?.orderId ?? null;
    if (orderId === null && shownText(text, 'masked') === text) return E.right({ ...NOTHING_NAMED, reference: text });
    return E.right({ ...NOTHING_NAMED, orderId: orderId ?? text });
  };

/** What the page's parameters choose: an age is its days, a text what it names, and no state any that is open. */
export const chosenItems = (
  deps: Pick<LargePageDependencies, 'readModels' | 'now'>,
  { age, text, cursor: _cursor, ...query }: Query<typeof CHOOSING>,
  today: BusinessDay,
): TE.TaskEither<QueryFailure, ChosenItems> =>
  pipe(
    TE.of<QueryFailure, string | null>(text),
    TE.chain((term): TE.TaskEither<QueryFailure, Named> =>
      term === null ? TE.right(NOTHING_NAMED) : named(deps, term.trim()),
    ),
    TE.map(({ reference, ...names }) => ({
      query: {
        ...query,
        ...(age === null ? {} : daysOfAge(age, today)),
        ...(text === null ? {} : names),
      },
      isOpen: text === null && query.state === null,
      reference,
    })),
  );
