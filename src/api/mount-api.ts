import type Koa from 'koa';
import type { ApiDependencies } from './api-dependencies.ts';
import type { ApiRouter, ApiState } from '../http/api-context.ts';
import { healthRoutes } from './health-routes.ts';
import { apiRoutes } from './api-routes.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { requestId } from '../http/request-id.ts';
import { followTrace } from '../http/follow-trace.ts';
import { unexpectedErrors } from '../http/unexpected-errors.ts';
import { unmatched } from '../http/unmatched.ts';

/** The routers of the interface, those handed in first. */
export const apiRouters = (deps: ApiDependencies, others: readonly ApiRouter[]): readonly ApiRouter[] => [
  ...others,
  healthRoutes(deps),
  apiRoutes(deps),
];

/**
 * Puts the HTTP interface on an application: request id, trace, errors, security headers, the routers handed in (that of the
 * webhooks), its own,
 * and an answer to everything else. What must see a request before its id, or after the reply, is mounted before.
 */
export const mountApi = (
  app: Koa<ApiState, Koa.DefaultContextExtends>,
  deps: ApiDependencies,
  others: readonly ApiRouter[] = [],
): void => {
  const routers = apiRouters(deps, others);
  app.use(requestId(deps.newRequestId));
  app.use(followTrace);
  app.use(unexpectedErrors(deps.log));
  app.use(securityHeaders());
  for (const router of routers) app.use(router.routes());
  app.use(unmatched(routers));
};
