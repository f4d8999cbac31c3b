import type { ApiMiddleware, ApiRouter } from './api-context.ts';
import { problem, sendProblem, type Problem } from './problem.ts';

const methodNotAllowed = (allowed: readonly string[]): Problem =>
  problem('method-not-allowed', `this address answers ${allowed.join(', ')} only`, {
    headers: { Allow: allowed.join(', ') },
  });

/** Answers what no route did: 405 where the address is one of these routers' but not with that method, else 404. */
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
