import { Router } from './koa-router.ts';
import type { Operation } from '../openapi/operation.ts';
import type { DirectRoute } from './direct-route.ts';
import type { ApiMiddleware, ApiRouter } from './api-context.ts';

/** A route together with its documentation: there is no route without it. */
export type DocumentedRoute = {
  readonly operation: Operation;
  readonly handle: ApiMiddleware;
  /** A file that a page loads: it is of no use to programs, and stands in no document. */
  readonly isPartOfPage?: true;
};

/** Routes that are mounted together, and the operations that the OpenAPI document shows of them. */
export type DocumentedRouter = {
  readonly router: ApiRouter;
  readonly operations: readonly Operation[];
  /** One of its routes, where that is answered directly if its address is spelled exactly so. */
  readonly direct?: DirectRoute;
};

/** `/v1/orders/{orderId}` as the router takes it: `/v1/orders/:orderId`. `rest`: parameters that take slashes too. */
export const routerPath = (path: string, rest: readonly string[] = []): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (rest.includes(name) ? `*${name}` : `:${name}`));

const restOf = ({ parameters }: Operation): readonly string[] =>
  parameters.flatMap(({ name, rest }) => (rest === true ? [name] : []));

/** The only way for a route to be mounted. `exact`: whether letter case and a slash at the end of an address matter. */
export const documentedRouter = (
  routes: readonly DocumentedRoute[],
  { exact }: { readonly exact: boolean } = { exact: true },
): DocumentedRouter => {
  const router: ApiRouter = new Router({ sensitive: exact, strict: exact });
  for (const { operation, handle } of routes) {
    router[operation.method](routerPath(operation.path, restOf(operation)), handle);
  }
  return {
    router,
    operations: routes.filter(({ isPartOfPage }) => isPartOfPage !== true).map(({ operation }) => operation),
  };
};
