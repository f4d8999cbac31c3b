import type { IncomingMessage } from 'node:http';
import { isRequestId, type RequestId } from '../domain/ids.ts';
import type { ApiMiddleware } from './api-context.ts';

/** The id of a request: the caller's own where it is well-formed. */
export const requestIdOf = ({ headers }: IncomingMessage, newRequestId: () => RequestId): RequestId => {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && isRequestId(sent) ? sent : newRequestId();
};

/**
 * Gives each request an id, the caller's own where it is well-formed, and puts it on every reply (docs/spec/http.md,
 * Errors).
 */
export const requestId =
  (newRequestId: () => RequestId): ApiMiddleware =>
  (ctx, next) => {
    ctx.state.requestId = requestIdOf(ctx.req, newRequestId);
    ctx.set('X-Request-Id', ctx.state.requestId);
    return next();
  };
