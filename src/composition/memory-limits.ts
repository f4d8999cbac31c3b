import { readFileSync } from 'node:fs';
import * as E from 'fp-ts/lib/Either.js';

/** How many bytes of one kind of memory the system lets a process set aside, and what operators know that limit by. */
export type MemoryLimit = { readonly kind: 'data' | 'address space'; readonly bytes: number };

/** Lines of the table that Linux has of each process; the first figure is the limit that counts. */
const LIMITS = [
  ['data', /^Max data size +(\d+) /m],
  ['address space', /^Max address space +(\d+) /m],
] as const;

/** What such a table says of memory; none where there is no bound, or none is said. */
export const memoryLimitsIn = (limits: string): readonly MemoryLimit[] =>
  LIMITS.flatMap(([kind, line]) => {
    const [, most] = line.exec(limits) ?? [];
    return most === undefined ? [] : [{ kind, bytes: Number(most) }];
  });

/** The limits of memory of this process; none where none is known, as on anything but Linux. */
export const memoryLimits = (): readonly MemoryLimit[] => {
  const limits = E.tryCatch(() => readFileSync('/proc/self/limits', 'utf8'), String);
  return E.isRight(limits) ? memoryLimitsIn(limits.right) : [];
};
