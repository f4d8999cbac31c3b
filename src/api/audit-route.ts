import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { AuditPageResource } from '../queries/trail/audit-entry-resource.ts';
import { AUDIT_LIST_PARAMETERS, auditList, parseAuditList } from '../queries/trail/audit-list.ts';
import type { QueryDependencies } from '../queries/query-dependencies.ts';
import type { RouteDependencies } from './described-route.ts';
import { route, type ApiRoute } from './route.ts';

type Deps = RouteDependencies & Pick<QueryDependencies, 'store' | 'readModels' | 'calendar' | 'secretKey'>;

/** The audit trail (docs/spec/http.md, Audit trail). */
export const auditListRoute = (deps: Deps): ApiRoute =>
  route(deps, {
    id: 'listAuditEntries',
    large: true,
    method: 'get',
    path: '/v1/audit',
    tag: 'Audit',
    summary: 'The audit trail of all orders and the quarantine, in the order of positions',
    scopes: ['audit:read'],
    parameters: AUDIT_LIST_PARAMETERS,
    answers: { description: 'A page of entries.', resource: AuditPageResource },
    problems: ['behind', 'store-unavailable'],
    answer: ({ query, personal }) =>
      pipe(
        parseAuditList(deps)(query),
        TE.chain(auditList(deps, personal)),
        TE.map((body) => ({ body })),
      ),
  });
