import { apply, either as E, taskEither as TE } from 'fp-ts';
import { pipe } from 'fp-ts/lib/function.js';
import { orderAt, type OrderState } from '../../projections/order-state/index.ts';
import { isOrderId } from '../domain/ids.ts';
import { parseInstant } from '../domain/instant.ts';
import type { JsonObject } from '../domain/json.ts';
import type { Problem } from '../http/problem.ts';
import type { OrderFilter } from '../read-models/order-filter.ts';
import type { OrderPlace } from '../read-models/read-models.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import { cursorOf, foreignCursor, placeInCursor } from './cursor.ts';
import { ORDER_FILTER_PARAMETERS, orderFilter } from './order-filter-parameters.ts';
import { limitParameter, type Parameters } from './parameters.ts';
import { positionParameter, whenIncluded } from './position-parameter.ts';
import { behind } from './query-problems.ts';
import type { Route } from './question.ts';
import { orderResource, type PersonalData } from './resources/order-resource.ts';

/** What `GET /v1/orders` takes. */
const ORDER_LIST_PARAMETERS = [...ORDER_FILTER_PARAMETERS, 'limit', 'cursor', 'position'] as const;

const listName = (filter: OrderFilter): string => JSON.stringify(['orders', filter]);

const placeBehind = (parameters: Parameters, filter: OrderFilter): E.Either<Problem, OrderPlace | null> =>
  pipe(
    placeInCursor(parameters, listName(filter)),
    E.chain((place) => {
      if (place === null) return E.right(null);
      const [time = '', orderId = ''] = place;
      const createdAt = parseInstant(time);
      return createdAt !== null && isOrderId(orderId) ? E.right({ createdAt, orderId }) : E.left(foreignCursor);
    }),
  );

const next = (filter: OrderFilter, last: OrderState | undefined, more: boolean): string | null =>
  more && last !== undefined ? cursorOf(listName(filter), [last.createdAt, last.orderId]) : null;

/** A page of orders, newest created first (contract.md, `GET /v1/orders`): `{data, next}`. */
const orderList =
  ({ store, readModels, now }: Pick<ApiDependencies, 'store' | 'readModels' | 'now'>) =>
  (parameters: Parameters, personal: PersonalData): TE.TaskEither<Problem, JsonObject> =>
    pipe(
      orderFilter(parameters, personal),
      E.bindTo('filter'),
      E.bind('page', ({ filter }) =>
        apply.sequenceS(E.Apply)({
          limit: limitParameter(parameters),
          after: placeBehind(parameters, filter),
        }),
      ),
      TE.fromEither,
      TE.bind('position', () => positionParameter(store, parameters)),
      TE.tap(({ position }) => whenIncluded({ store, readModels }, position)),
      TE.chain(({ filter, page: { limit, after } }) => {
        const moment = now();
        return pipe(
          readModels.orders({ filter, after, limit, now: moment }),
          TE.bimap(behind, ({ data, more }) => ({
            data: data.map((state) => orderResource(orderAt(state, moment), personal)),
            next: next(filter, data.at(-1), more),
          })),
        );
      }),
    );

export const orderListRoute = (deps: ApiDependencies): Route => ({
  method: 'get',
  path: '/v1/orders',
  scopes: ['orders:read'],
  parameters: ORDER_LIST_PARAMETERS,
  answer: ({ parameters, personal }) =>
    pipe(
      orderList(deps)(parameters, personal),
      TE.map((body) => ({ body })),
    ),
});
