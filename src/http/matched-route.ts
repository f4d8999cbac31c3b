import type { ApiContext } from './api-context.ts';

/** Stands for the route of a request that no route took. */
const NO_ROUTE = 'none';

/**
 * The template of the route that took a request, `/v1/orders/:orderId`: there are as many as routes, while paths hold
 * ids and whatever callers make up. @koa/router leaves it on the context, where its types don't show it.
 */
export const matchedRoute = (ctx: ApiContext): string => {
  const template: unknown = Reflect.get(ctx, '_matchedRoute');
  if (template instanceof RegExp) return template.source;
  return typeof template === 'string' ? template : NO_ROUTE;
};
