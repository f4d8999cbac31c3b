import type { ApiMiddleware } from './api-context.ts';
import { parseTraceparent } from './trace-context.ts';

/** Takes the trace of a request from its header, for the lines that are logged of it. */
export const followTrace: ApiMiddleware = (ctx, next) => {
  const { traceparent } = ctx.req.headers;
  const trace = typeof traceparent === 'string' ? parseTraceparent(traceparent) : null;
  if (trace !== null) ctx.state.trace = trace;
  return next();
};
