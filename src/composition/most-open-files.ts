import { readFileSync } from 'node:fs';
import * as E from 'fp-ts/lib/Either.js';

/** The line of the table that Linux has of each process; the first figure is the limit that counts, which Node raises as it starts. */
const LIMIT = /^Max open files +(\d+) /m;

/** What such a table says: how many files its process may have open at once; null: without a bound, or not said. */
export const openFilesIn = (limits: string): number | null => {
  const [, most] = LIMIT.exec(limits) ?? [];
  return most === undefined ? null : Number(most);
};

/** How many files this process may have open at once; null: without a bound, or not known, as on anything but Linux. */
export const mostOpenFiles = (): number | null => {
  const limits = E.tryCatch(() => readFileSync('/proc/self/limits', 'utf8'), String);
  return E.isRight(limits) ? openFilesIn(limits.right) : null;
};
