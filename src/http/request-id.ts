import { isRequestId, type RequestId } from '../domain/ids.ts';
import type { ApiMiddleware } from './api-context.ts';

/**
 * Gives each request an id, the caller's own where it is well-formed, and puts it on every reply (docs/spec/http.md,
 * Errors).
 */
export const requestId =
  (newRequestId: () => RequestId): ApiMiddleware =>
  (ctx, next) => {
    const sent = ctx.get('X-Request-Id');
    ctx.state.requestId = isRequestId(sent) ? sent : newRequestId();
    ctx.set('X-Request-Id', ctx.state.requestId);
    return next();
  };
