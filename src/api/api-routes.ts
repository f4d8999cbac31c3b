import { Router } from '@koa/router';
import type { ApiRouter } from '../http/api-context.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import { auditListRoute } from './audit-list.ts';
import { orderListRoute } from './order-list.ts';
import { orderRoutes } from './order-routes.ts';
import { quarantineRoutes } from './quarantine-routes.ts';
import { asked, type Route } from './question.ts';
import { reportRoutes } from './report-routes.ts';

/** Every route of the query side that a key is needed for (contract.md, Asking). */
export const queryRoutes = (deps: ApiDependencies): readonly Route[] => [
  orderListRoute(deps),
  ...orderRoutes(deps),
  auditListRoute(deps),
  ...reportRoutes(deps),
  ...quarantineRoutes(deps),
];

export const apiRoutes = (deps: ApiDependencies): ApiRouter => {
  const router: ApiRouter = new Router({ sensitive: true, strict: true });
  for (const route of queryRoutes(deps)) router[route.method](route.path, asked(deps, route));
  return router;
};
