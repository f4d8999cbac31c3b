import type { AtWraps } from '../domain/at-wraps.ts';
import type { StatementLine } from '../domain/statement-line.ts';
import { atWraps } from '../statements/mt940/kept-entry.ts';

/** A line as the match sees it, with all that is kept of it. */
export type WrappedLine = StatementLine & { readonly atWraps?: AtWraps };

/**
 * A line with what stands at the wraps of its text. That is read of the line as it is kept, so that lines of older imports have
 * it too, and no line says another thing by it.
 */
export const wrappedLine = (line: StatementLine): WrappedLine => {
  const found = atWraps(line);
  return found === null ? line : { ...line, atWraps: found };
};
