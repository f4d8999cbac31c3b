import type { ApiContext } from './api-context.ts';

/**
 * Browsers send some 200 characters, of either header. The library that reads `Accept` takes the square of its length where a quote in it is not
 * closed: fifteen thousand characters of a stranger would hold the thread that receives for 20 ms.
 */
const LONGEST_READ = 1_024;

/** Which of these a caller likes best; the first where nothing is said, or too much to be read. Null: none of them will do. */
export const acceptedType = (ctx: ApiContext, types: readonly string[]): string | null => {
  if (ctx.get('Accept').length > LONGEST_READ) return types[0] ?? null;
  const best = ctx.accepts([...types]);
  return typeof best === 'string' ? best : null;
};

/** Whether a caller has an answer compressed rather than as it is; not where too much is said to be read. */
export const prefersGzip = (ctx: Pick<ApiContext, 'get' | 'acceptsEncodings'>): boolean =>
  ctx.get('Accept-Encoding').length <= LONGEST_READ && ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
