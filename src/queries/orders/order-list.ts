import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as t from 'io-ts';
import { orderAt, type Order, type OrderState } from '../../../projections/order-state/index.ts';
import { isOrderId } from '../../domain/ids.ts';
import { parseInstant, type Instant } from '../../domain/instant.ts';
import { described } from '../../openapi/described.ts';
import type { OrderFilter } from '../../read-models/order-filter.ts';
import type { OrderTotal } from '../../read-models/order-sums.ts';
import type { AsOf, OrderPlace } from '../../read-models/read-models.ts';
import type { InvalidParameter, QueryFailure } from '../failure/query-failure.ts';
import type { PersonalData } from '../masking/personal-data.ts';
import { cursorOf, foreignCursor, placeInCursor } from '../parameters/cursor.ts';
import {
  cursorParameter,
  limitParameter,
  oneOf,
  parameter,
  positionText,
  USUAL_LIMIT,
  type Query,
} from '../parameters/parameters.ts';
import { asOfParameter, asOfText } from '../parameters/as-of-parameter.ts';
import { positionParameter, whenIncluded, type Including } from '../parameters/position-parameter.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { shownText } from '../masking/shown-text.ts';
import { amount, count, text, textOrNull } from '../resources/values.ts';
import { AsOfResource, asOfResource } from '../resources/as-of.ts';
import { ORDER_FILTER_PARAMETERS, orderFilter } from './order-filter-parameters.ts';
import { orderJson } from './order-json.ts';
import { OrderResource, orderResource } from './order-resource.ts';

/** The parameters of the list of orders. */
export const ORDER_LIST_PARAMETERS = {
  ...ORDER_FILTER_PARAMETERS,
  count: parameter('`true`: the whole list is counted and summed too, see `total`.', oneOf(['true', 'false'])),
  limit: limitParameter,
  cursor: {
    ...cursorParameter,
    about: `${cursorParameter.about} An order that changes between two pages may stand on both, or on neither: read a list that is summed with the same \`asOf\` on every page, where each order stands on one page.`,
  },
  asOf: asOfText,
  position: positionText,
} as const;

const OrderTotalResource = t.strict(
  {
    orders: count('Orders of all pages together.'),
    atLeast: described(
      t.boolean,
      'There may be more orders than were counted; `orders` and `byCurrency` are lower bounds.',
    ),
    byCurrency: t.readonlyArray(
      t.strict({ currency: text('In upper case.'), fiat: amount('The sum of the fiat amounts.') }),
    ),
  },
  'OrderTotal',
);

export const OrderPageResource = t.exact(
  t.intersection([
    t.type({
      data: t.readonlyArray(OrderResource),
      next: textOrNull('The `cursor` of the next page; null: this is the last.'),
    }),
    t.partial({
      total: described(OrderTotalResource, 'With `count=true` only.'),
      asOf: described(AsOfResource, 'With `asOf` only.'),
    }),
  ]),
  'OrderPage',
);

const listName = (filter: OrderFilter, asOf: string | null): string =>
  JSON.stringify(asOf === null ? ['orders', filter] : ['orders', filter, asOf]);

const placeBehind = (cursor: string | null, list: string): E.Either<InvalidParameter, OrderPlace | null> =>
  pipe(
    placeInCursor(cursor, list),
    E.chain((place) => {
      if (place === null) return E.right(null);
      const [time = '', orderId = ''] = place;
      const createdAt = parseInstant(time);
      return createdAt !== null && isOrderId(orderId) ? E.right({ createdAt, orderId }) : E.left(foreignCursor);
    }),
  );

const next = (list: string, last: OrderState | undefined, more: boolean): string | null =>
  more && last !== undefined ? cursorOf(list, [last.createdAt, last.orderId]) : null;

/** What is asked of the list: its parameters, read and found to be ones that this ledger can answer. */
export type OrderListQuestion = Including & {
  readonly filter: OrderFilter;
  readonly after: OrderPlace | null;
  readonly limit: number;
  /** Whether all pages together are counted and summed. */
  readonly counted: boolean;
  /** As it came; the read models say which moment it is. */
  readonly asOf: string | null;
};

/** Reads what the parameters of the list ask for. */
export const parseOrderList =
  ({ store }: Pick<QueryDependencies, 'store'>, personal: PersonalData) =>
  (query: Query<typeof ORDER_LIST_PARAMETERS>): TE.TaskEither<QueryFailure, OrderListQuestion> => {
    const filter = orderFilter(query, personal);
    return pipe(
      TE.fromEither(placeBehind(query.cursor, listName(filter, query.asOf))),
      TE.bindTo('after'),
      TE.bindW('included', () => positionParameter(store, query.position)),
      TE.map(({ after, included }) => ({
        filter,
        after,
        limit: query.limit ?? USUAL_LIMIT,
        counted: query.count === 'true',
        asOf: query.asOf,
        included,
      })),
    );
  };

/** States of a list, newest created first, the moment that they are shown at, the cursor of the next page, and what all pages come to. */
type StatePage = {
  readonly states: readonly OrderState[];
  readonly now: Instant;
  readonly next: string | null;
  /** Null: not asked for. */
  readonly total: OrderTotal | null;
  /** The moment that it is of, where one was asked for. */
  readonly asOf: AsOf | null;
};

type Deps = Pick<QueryDependencies, 'store' | 'readModels' | 'now'>;

const statePage = (
  deps: Deps,
  { filter, after, limit, counted, included, asOf }: OrderListQuestion,
): TE.TaskEither<QueryFailure, StatePage> =>
  pipe(
    whenIncluded(deps, included),
    TE.chain(() => asOfParameter(deps, asOf)),
    TE.chainW((moment) => {
      const now = moment?.now ?? deps.now();
      const question = { filter, after, limit, now, counted };
      return pipe(
        deps.readModels.orders(moment === undefined ? question : { ...question, asOf: moment }),
        TE.map(({ data, more, total }) => ({
          states: data,
          now,
          next: next(listName(filter, asOf), data.at(-1), more),
          total,
          asOf: moment ?? null,
        })),
      );
    }),
  );

/** Orders of a list, newest created first. */
export type OrderPage = Omit<StatePage, 'states' | 'now'> & { readonly orders: readonly Order[] };

/** A page of orders. */
export const orderPage =
  (deps: Deps) =>
  (question: OrderListQuestion): TE.TaskEither<QueryFailure, OrderPage> =>
    pipe(
      statePage(deps, question),
      TE.map(({ states, now, ...page }) => ({ ...page, orders: states.map((state) => orderAt(state, now)) })),
    );

const totalResource = ({ byCurrency, orders, atLeast }: OrderTotal, personal: PersonalData) => ({
  orders,
  atLeast,
  byCurrency: byCurrency.map(({ currency, fiat }) => ({ currency: shownText(currency, personal), fiat })),
});

/** What a page holds beside its orders, as callers see it. */
const besideOrders = (page: Pick<OrderPage, 'next' | 'total' | 'asOf'>, personal: PersonalData) => ({
  next: page.next,
  ...(page.total === null ? {} : { total: totalResource(page.total, personal) }),
  ...(page.asOf === null ? {} : { asOf: asOfResource(page.asOf) }),
});

/** The same page as callers see it (docs/spec/http.md, Orders): `{data, next}`, and `total` where it was asked for. */
export const orderList =
  (deps: Deps, personal: PersonalData) =>
  (question: OrderListQuestion): TE.TaskEither<QueryFailure, t.TypeOf<typeof OrderPageResource>> =>
    pipe(
      orderPage(deps)(question),
      TE.map(({ orders, ...page }) => ({
        data: orders.map((order) => orderResource(order, personal)),
        ...besideOrders(page, personal),
      })),
    );

/** The same as JSON, of which most is written already where its orders were in a page before. */
export const orderListJson =
  (deps: Deps, personal: PersonalData) =>
  (question: OrderListQuestion): TE.TaskEither<QueryFailure, string> =>
    pipe(
      statePage(deps, question),
      TE.map(({ states, now, ...page }) => {
        const data = states.map((state) => orderJson(state, now, personal)).join(',');
        return `{"data":[${data}],${JSON.stringify(besideOrders(page, personal)).slice(1)}`;
      }),
    );
