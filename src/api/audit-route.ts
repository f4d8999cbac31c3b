import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { DocumentedRoute } from '../http/documented-router.ts';
import { AuditPageResource } from '../queries/trail/audit-entry-resource.ts';
import { AUDIT_LIST_PARAMETERS, auditList, parseAuditList } from '../queries/trail/audit-list.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import { route } from './route.ts';

/** The audit trail (docs/spec/http.md, Audit trail). */
export const auditListRoute = (deps: ApiDependencies): DocumentedRoute =>
  route(deps, {
    id: 'listAuditEntries',
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
