import type { ApiMiddleware } from './api-context.ts';
import { logFields, type LogFields } from './log-fields.ts';
import { matchedRoute } from './matched-route.ts';
import { isProved } from './proved.ts';
import { notProvedBy, provedBy } from './connections/proved-connections.ts';

/** Takes the one line of a request; `proved`: whether whoever asked had proved who they are. */
export type AccessLog = (line: AccessLine, proved: boolean) => void;

/** What is told of a request. */
export type AccessLine = LogFields & {
  readonly method: string;
  /** The template of the route that took it, `none` where none did; never the path that came, which may hold personal data. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  /** What became of a delivery, or the code of its refusal; `cut-off`: an answer that its caller did not get whole. */
  readonly outcome?: string;
  readonly apiKeyId?: string;
};

/** One line for each request, when its reply is made. */
export const accessLog =
  (write: AccessLog): ApiMiddleware =>
  async (ctx, next) => {
    const start = performance.now();
    try {
      await next();
    } finally {
      const { outcome, apiKeyId } = ctx.state;
      const line: AccessLine = {
        ...logFields(ctx.state),
        method: ctx.req.method ?? '',
        route: matchedRoute(ctx),
        status: ctx.res.statusCode,
        durationMs: Math.round((performance.now() - start) * 1000) / 1000,
        ...(outcome === undefined ? {} : { outcome }),
        ...(apiKeyId === undefined ? {} : { apiKeyId }),
      };
      const proved = isProved(ctx.state);
      if (proved) provedBy(ctx.req.socket);
      else if (ctx.state.proved === false) notProvedBy(ctx.req.socket);
      write(line, proved);
    }
  };
