import type { ApiContext } from './api-context.ts';

/**
 * Browsers send some 200 characters. What reads these headers takes up to the square of their length: fifteen thousand characters of
 * a stranger would hold the thread that receives for 20 ms in `Accept`, and for 4 ms in `Accept-Encoding`.
 */
const LONGEST_READ = 1_024;

const isReadable = (ctx: ApiContext, header: 'Accept' | 'Accept-Encoding'): boolean =>
  ctx.get(header).length <= LONGEST_READ;

/** Which of these a caller likes best; the first where nothing is said, or too much to be read. Null: none of them will do. */
export const acceptedType = (ctx: ApiContext, types: readonly string[]): string | null => {
  if (!isReadable(ctx, 'Accept')) return types[0] ?? null;
  const best = ctx.accepts([...types]);
  return typeof best === 'string' ? best : null;
};

/** Whether a caller likes gzip better than what is not compressed; not where it says nothing, or too much to be read. */
export const prefersGzip = (ctx: ApiContext): boolean =>
  isReadable(ctx, 'Accept-Encoding') && ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
