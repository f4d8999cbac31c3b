import type { ApiMiddleware, ApiRouter } from './api-context.ts';
import { problem, sendProblem, type Problem } from './problem.ts';

const methodNotAllowed = (allowed: readonly string[]): Problem =>
  problem('method-not-allowed', `this address answers ${allowed.join(', ')} only`, {
    headers: { Allow: allowed.join(', ') },
  });

/** Answers a request that no route took: 405 if one of these routers has the address with another method, else 404. */
export const unmatched =
  (routers: readonly ApiRouter[]): ApiMiddleware =>
  (ctx) => {
    const layers = routers.flatMap((router) => router.match(ctx.path, ctx.method).path);
    const allowed = [...new Set(layers.flatMap(({ methods }) => methods))].toSorted();
    sendProblem(
      ctx,
      allowed.length === 0 ? problem('not-found', 'there is nothing at this address') : methodNotAllowed(allowed),
    );
  };
