/** How long pauses between tries are, in milliseconds. */
export type BackOff = { readonly firstMs: number; readonly longestMs: number };

/**
 * The pause after so many failures in a row, from 1: doubled each time up to the longest, of which a random half is left
 * out, so that several callers don't all come back at one moment.
 *
 * @param random at least 0 and below 1
 */
export const backOff = ({ firstMs, longestMs }: BackOff, failures: number, random: () => number): number =>
  Math.min(firstMs * 2 ** (failures - 1), longestMs) * (1 - random() / 2);
