import type { ApiMiddleware } from './api-context.ts';

/** Writes the one line of a request. */
export type AccessLog = (line: {
  readonly requestId: string;
  readonly method: string;
  /** Without the query, which may hold personal data. */
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  /** What became of a delivery, or the code of its refusal. */
  readonly outcome?: string;
  readonly apiKeyId?: string;
}) => void;

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
      const { requestId, outcome, apiKeyId } = ctx.state;
      write({
        requestId,
        method: ctx.req.method ?? '',
        path: withoutQuery(ctx.req.url ?? ''),
        status: ctx.res.statusCode,
        durationMs: Math.round((performance.now() - start) * 1000) / 1000,
        ...(outcome === undefined ? {} : { outcome }),
        ...(apiKeyId === undefined ? {} : { apiKeyId }),
      });
    }
  };
