import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { OrderState } from '../../../projections/order-state/index.ts';
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

/** So many orders may be found by one text; who may not read orders is shown one that the match itself shows it of. */
const MOST_FOUND = 50;

/** Whether the match shows a text of an order, in any letter case. */
const isShownBy =
  (text: string) =>
  ({ orderId, txnHash, transactionId, walletAddress, payouts }: OrderState): boolean =>
    [orderId, txnHash, transactionId, walletAddress, ...payouts.map(({ utr }) => utr)].some(
      (one) => one?.toLowerCase() === text.toLowerCase(),
    );

/**
 * The order that a text names, or a line; any other text is taken for a reference of lines. An e-mail address in a reference
 * is masked, and nothing is found by it. The search of orders finds them by their customer and by what the merchant noted too,
 * which the match does not show.
 */
const named =
  ({ readModels, now }: Pick<LargePageDependencies, 'readModels' | 'now'>, text: string, mayReadOrders: boolean) =>
  async (): Promise<E.Either<QueryFailure, Named>> => {
    if (isLineId(text)) return E.right({ ...NOTHING_NAMED, lineId: text });
    const filter = { ...EVERY_ORDER, q: orderSearch(text, 'guarded') };
    const found = await readModels.orders({
      filter,
      after: null,
      limit: mayReadOrders ? 1 : MOST_FOUND,
      now: now(),
      counted: false,
    })();
    if (E.isLeft(found)) return found;
    const orders = mayReadOrders ? found.right.data : found.right.data.filter(isShownBy(text));
    const orderId = orders[0]?.orderId ?? null;
    if (orderId === null && shownText(text, 'masked') === text) return E.right({ ...NOTHING_NAMED, reference: text });
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
      term === null ? TE.right(NOTHING_NAMED) : named(deps, term.trim(), scopes.has('orders:read')),
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
