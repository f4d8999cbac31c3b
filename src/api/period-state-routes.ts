import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { PeriodPageResource, PeriodResource } from '../queries/periods/period-resource.ts';
import { onePeriod, PERIOD_LIST_PARAMETERS, periodList } from '../queries/periods/periods.ts';
import type { QueryDependencies } from '../queries/query-dependencies.ts';
import type { ClosedMonthDependencies } from './period-adjustments-route.ts';
import { route, type ApiRoute } from './route.ts';

type Deps = ClosedMonthDependencies & Pick<QueryDependencies, 'isAdjusted'>;

const list = (deps: Deps): ApiRoute =>
  route(deps, {
    id: 'listPeriods',
    large: true,
    method: 'get',
    path: '/v1/periods',
    tag: 'Periods',
    summary: 'Every month from the first with figures to the current one, newest first',
    scopes: ['reports:read'],
    parameters: PERIOD_LIST_PARAMETERS,
    answers: { description: 'A page of months.', resource: PeriodPageResource },
    problems: ['behind', 'store-unavailable'],
    answer: ({ query, personal }) =>
      pipe(
        periodList(deps, personal)(query),
        TE.map((body) => ({ body })),
      ),
  });

const one = (deps: Deps): ApiRoute =>
  route(deps, {
    id: 'getPeriod',
    large: true,
    method: 'get',
    path: '/v1/periods/{period}',
    tag: 'Periods',
    summary: 'One month',
    scopes: ['reports:read'],
    parameters: {},
    answers: { description: 'The month.', resource: PeriodResource },
    problems: ['not-found', 'behind', 'store-unavailable', 'unreadable-event'],
    answer: ({ inPath: { period }, personal }) =>
      pipe(
        onePeriod(deps, personal, period),
        TE.map((body) => ({ body })),
      ),
  });

/**
 * Months as they are (docs/spec/http.md, Periods). Their answers are small, but what is said of a closed one takes all its
 * figures, as they were and as they are.
 */
export const periodStateRoutes = (deps: Deps): readonly ApiRoute[] => [list(deps), one(deps)];
