import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { AdjustmentPageResource, adjustmentList } from '../queries/periods/adjustment-list.ts';
import { PERIOD_LIST_PARAMETERS } from '../queries/periods/periods.ts';
import type { QueryDependencies } from '../queries/query-dependencies.ts';
import type { RouteDependencies } from './described-route.ts';
import { route, type ApiRoute } from './route.ts';

/** What answers about closed months stand on, in whichever thread. */
export type ClosedMonthDependencies = RouteDependencies &
  Pick<QueryDependencies, 'store' | 'readModels' | 'calendar' | 'now'>;

/** What came for a closed month since (docs/spec/http.md, Periods). */
export const periodAdjustmentsRoute = (deps: ClosedMonthDependencies): ApiRoute =>
  route(deps, {
    id: 'listPeriodAdjustments',
    large: true,
    method: 'get',
    path: '/v1/periods/{period}/adjustments',
    tag: 'Periods',
    summary: 'What is known now of a closed month against what was closed',
    scopes: ['reports:read'],
    parameters: PERIOD_LIST_PARAMETERS,
    answers: {
      description: 'For each report and currency what differs, with the orders and events behind it.',
      resource: AdjustmentPageResource,
    },
    problems: ['not-found', 'behind', 'store-unavailable', 'unreadable-event'],
    answer: ({ inPath: { period }, query, personal }) =>
      pipe(
        adjustmentList(deps, personal, period)(query),
        TE.map((body) => ({ body })),
      ),
  });
