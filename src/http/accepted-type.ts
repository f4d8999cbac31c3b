import type { ApiContext } from './api-context.ts';

/**
 * Browsers send some 200 characters. The library that reads the header takes the square of its length where a quote in it is not
 * closed: fifteen thousand characters of a stranger would hold the thread that receives for 20 ms.
 */
const LONGEST_READ = 1_024;

/** Which of these a caller likes best; the first where nothing is said, or too much to be read. Null: none of them will do. */
export const acceptedType = (ctx: ApiContext, types: readonly string[]): string | null => {
  if (ctx.get('Accept').length > LONGEST_READ) return types[0] ?? null;
  const best = ctx.accepts([...types]);
  return typeof best === 'string' ? best : null;
};
