import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import {
  parseQuarantineList,
  QUARANTINE_LIST_PARAMETERS,
  quarantineList,
} from '../queries/quarantine/quarantine-list.ts';
import { QuarantinePageResource } from '../queries/quarantine/quarantine-resource.ts';
import type { QueryDependencies } from '../queries/query-dependencies.ts';
import type { RouteDependencies } from './described-route.ts';
import { route, type ApiRoute } from './route.ts';

type Deps = RouteDependencies & Pick<QueryDependencies, 'store' | 'readModels'>;

/** Deliveries that could not be read, each with all its reasons (docs/spec/http.md, Quarantine). */
export const quarantineListRoute = (deps: Deps): ApiRoute =>
  route(deps, {
    id: 'listQuarantine',
    large: true,
    method: 'get',
    path: '/v1/quarantine',
    tag: 'Quarantine',
    summary: 'Deliveries that could not be read, in the order in which they came',
    scopes: ['audit:read'],
    parameters: QUARANTINE_LIST_PARAMETERS,
    answers: { description: 'A page of deliveries.', resource: QuarantinePageResource },
    problems: ['behind', 'store-unavailable'],
    answer: ({ query, personal }) =>
      pipe(
        parseQuarantineList(deps)(query),
        TE.chain(quarantineList(deps, personal)),
        TE.map((body) => ({ body })),
      ),
  });
