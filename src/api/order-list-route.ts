import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import {
  ORDER_LIST_PARAMETERS,
  orderListJson,
  parseOrderList,
  OrderPageResource,
} from '../queries/orders/order-list.ts';
import type { QueryDependencies } from '../queries/query-dependencies.ts';
import type { RouteDependencies } from './described-route.ts';
import { route, type ApiRoute } from './route.ts';

type Deps = RouteDependencies & Pick<QueryDependencies, 'store' | 'readModels' | 'now'>;

/** The list of orders (docs/spec/http.md, Orders). */
export const orderListRoute = (deps: Deps): ApiRoute =>
  route(deps, {
    id: 'listOrders',
    large: true,
    method: 'get',
    path: '/v1/orders',
    tag: 'Orders',
    summary: 'Orders, newest created first',
    description: "The orders that a report's cell stands for are this list with the cell's filters, and sum to it.",
    scopes: ['orders:read'],
    parameters: ORDER_LIST_PARAMETERS,
    answers: { description: 'A page of orders.', resource: OrderPageResource },
    problems: ['behind', 'store-unavailable'],
    answer: ({ query, personal }) =>
      pipe(
        parseOrderList(deps, personal)(query),
        TE.chain(orderListJson(deps, personal)),
        TE.map((body) => ({ body })),
      ),
  });
