import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { matchList, MatchPageResource, parseMatchList } from '../queries/reconciliation/match-items.ts';
import type { MatchDependencies } from '../queries/reconciliation/reconciliation.ts';
import { MATCH_LIST_PARAMETERS } from '../queries/reconciliation/reconciliation-parameters.ts';
import type { RouteDependencies } from './described-route.ts';
import { route, type ApiRoute } from './route.ts';

/** Items of the match, each with its bank lines whole (docs/spec/match.md, Items). */
export const matchItemRoute = (deps: RouteDependencies & MatchDependencies): ApiRoute =>
  route(deps, {
    id: 'listReconciliationItems',
    large: true,
    method: 'get',
    path: '/v1/reconciliation/items',
    tag: 'Reconciliation',
    summary: 'Orders, bank lines and transfers that belong together, the oldest first',
    scopes: ['reports:read'],
    parameters: MATCH_LIST_PARAMETERS,
    answers: { description: 'A page of items.', resource: MatchPageResource },
    problems: ['behind', 'store-unavailable'],
    answer: ({ query, personal }) =>
      pipe(
        parseMatchList(deps)(query),
        TE.chain(matchList(deps, personal)),
        TE.map((body) => ({ body })),
      ),
  });
