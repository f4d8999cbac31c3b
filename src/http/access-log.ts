import type { ApiMiddleware } from './api-context.ts';
import { logFields, type LogFields } from './log-fields.ts';
import { matchedRoute } from './matched-route.ts';

/** Writes the one line of a request. */
export type AccessLog = (line: AccessLine) => void;

type AccessLine = LogFields & {
  readonly method: string;
  /** The template of the route that took it, `none` where none did. */
  readonly route: string;
  /** Without the query, which may hold personal data. */
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  /** What became of a delivery, or the code of its refusal. */
  readonly outcome?: string;
  readonly apiKeyId?: string;
};

const LONGEST_PATH = 512;

const withoutQuery = (url: string): string => {
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  return path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path;
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
      write({
        ...logFields(ctx.state),
        method: ctx.req.method ?? '',
        route: matchedRoute(ctx),
        path: withoutQuery(ctx.req.url ?? ''),
        status: ctx.res.statusCode,
        durationMs: Math.round((performance.now() - start) * 1000) / 1000,
        ...(outcome === undefined ? {} : { outcome }),
        ...(apiKeyId === undefined ? {} : { apiKeyId }),
      });
    }
  };
