import type Koa from 'koa';
import type { ApiState } from '../http/api-context.ts';
import { documentedRouter, type DocumentedRouter } from '../http/documented-router.ts';
import { followTrace } from '../http/follow-trace.ts';
import { requestId } from '../http/request-id.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { unexpectedErrors } from '../http/unexpected-errors.ts';
import { unmatched } from '../http/unmatched.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import { apiRoutes } from './api-routes.ts';
import { docsRoutes } from './docs-routes.ts';
import { healthRoutes } from './health-routes.ts';
import { openApiRoute } from './openapi-route.ts';

/** The routers of the interface: those handed in, its own, and the document of all of them. */
export const apiRouters = (deps: ApiDependencies, others: readonly DocumentedRouter[]): readonly DocumentedRouter[] => {
  const documented = [...others, documentedRouter([...apiRoutes(deps), ...healthRoutes(deps), ...docsRoutes(deps)])];
  const operations = documented.flatMap((router) => router.operations);
  return [...documented, documentedRouter([openApiRoute(deps, operations)])];
};

/**
 * Puts the HTTP interface on an application: request id, trace, errors, security headers, the routers handed in (that of
 * the webhooks, say), its own, and an answer to everything else. What must see a request before its id, or after the
 * reply, is mounted before.
 */
export const mountApi = (
  app: Koa<ApiState, Koa.DefaultContextExtends>,
  deps: ApiDependencies,
  others: readonly DocumentedRouter[] = [],
): void => {
  const routers = apiRouters(deps, others).map(({ router }) => router);
  app.use(requestId(deps.newRequestId));
  app.use(followTrace);
  app.use(unexpectedErrors(deps.log));
  app.use(securityHeaders());
  for (const router of routers) app.use(router.routes());
  app.use(unmatched(routers));
};
