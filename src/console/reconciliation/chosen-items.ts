import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { BusinessDay } from '../../domain/business-day.ts';
import { isLineId } from '../../domain/statement-line.ts';
import type { QueryFailure } from '../../queries/failure/query-failure.ts';
import { shownText } from '../../queries/masking/shown-text.ts';
import { matchSearch, orderSearch } from '../../queries/orders/order-filter-parameters.ts';
import type { Query } from '../../queries/parameters/parameters.ts';
import type { MATCH_ITEM_PARAMETERS } from '../../queries/reconciliation/reconciliation-parameters.ts';
import type { LineSearch } from '../../read-models/line-search.ts';
import { EVERY_ORDER } from '../../read-models/order-filter.ts';
import type { LargePageDependencies } from '../large-page-dependencies.ts';
import { daysOfAge, type CHOOSING } from './list-parameters.ts';

/** The items that the page shows, as the interface is asked for them. */
export type ChosenItems = {
  readonly query: Query<typeof MATCH_ITEM_PARAMETERS>;
  /** Items in any open state are meant. */
  readonly isOpen: boolean;
  /** For a line that the items must have; null: any. */
  readonly search: LineSearch | null;
};

type Named = { readonly orderId: string | null; readonly lineId: string | null; readonly search: LineSearch | null };

const NOTHING_NAMED: Named = { orderId: null, lineId: null, search: null };

/**
 * The order that a text names, or a line; any other text is taken for a reference of lines. An e-mail address in a reference
 * is masked, and nothing is found by it. Whoever may not read orders names none by what the match does not show of them: such
 * an order is not even looked at, whose guess would take longer where it is right.
 */
const named =
  ({ readModels, now }: Pick<LargePageDependencies, 'readModels' | 'now'>, text: string, scopes: ReadonlySet<string>) =>
  async (): Promise<E.Either<QueryFailure, Named>> => {
    if (isLineId(text)) return E.right({ ...NOTHING_NAMED, lineId: text });
    const q = scopes.has('orders:read') ? orderSearch(text, 'guarded') : matchSearch(text);
    const filter = { ...EVERY_ORDER, q };
    const found = await readModels.orders({ filter, after: null, limit: 1, now: now(), counted: false })();
    if (E.isLeft(found)) return found;
    const orderId = found.right.data[0]?.orderId ?? null;
    if (orderId === null && shownText(text, 'masked') === text) {
      const search = { reference: text, personal: scopes.has('pii:read') };
      return E.right({ ...NOTHING_NAMED, search });
    }
    return E.right({ ...NOTHING_NAMED, orderId: orderId ?? text });
  };

/**
 * What the page's parameters choose: an age is its days, a text what it names, and no state any that is open.
 *
 * @param scopes those of whoever asks
 */
export const chosenItems = (
  deps: Pick<LargePageDependencies, 'readModels' | 'now'>,
  { age, text, cursor: _cursor, ...query }: Query<typeof CHOOSING>,
  today: BusinessDay,
  scopes: ReadonlySet<string>,
): TE.TaskEither<QueryFailure, ChosenItems> =>
  pipe(
    TE.of<QueryFailure, string | null>(text),
    TE.chain((term): TE.TaskEither<QueryFailure, Named> =>
      term === null ? TE.right(NOTHING_NAMED) : named(deps, term.trim(), scopes),
    ),
    TE.map(({ search, ...names }) => ({
      query: {
        ...query,
        ...(age === null ? {} : daysOfAge(age, today)),
        ...(text === null ? {} : names),
      },
      isOpen: [text, query.state, query.orderId, query.lineId].every((one) => one === null),
      search,
    })),
  );
