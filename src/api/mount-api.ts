import type Koa from 'koa';
import type { ApiDependencies } from './api-dependencies.ts';
import type { ApiRouter, ApiState } from '../http/api-context.ts';
import { healthRoutes } from './health-routes.ts';
import { apiRoutes } from './api-routes.ts';
import { requestId } from '../http/request-id.ts';
import { followTrace } from '../http/follow-trace.ts';
import { unexpectedErrors } from '../http/unexpected-errors.ts';
import { unmatched } from '../http/unmatched.ts';

/**
 * Puts the HTTP interface on an application: request id, trace, errors, the routers handed in (that of the webhooks), its own,
 * and an answer to everything else. What must see a request before its id, or after the reply, is mounted before.
 */
export const mountApi = (
  app: Koa<ApiState, Koa.DefaultContextExtends>,
  deps: ApiDependencies,
  others: readonly ApiRouter[] = [],
): void => {
  const routers = [...others, healthRoutes(deps), apiRoutes(deps)];
  app.use(requestId(deps.newRequestId));
  app.use(followTrace);
  app.use(unexpectedErrors(deps.log));
  for (const router of routers) app.use(router.routes());
  app.use(unmatched(routers));
};
