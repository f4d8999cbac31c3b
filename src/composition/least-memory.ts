import * as E from 'fp-ts/lib/Either.js';
import { failing, type CommandFailure } from '../cli/command-failure.ts';
import { memoryLimits, type MemoryLimit } from './memory-limits.ts';

const GIB = 1_024 ** 3;

/**
 * What all threads set aside, those too that begin with the first question of their kind: V8 ends the process where it gets
 * less, whatever was acknowledged meanwhile. An idle ledger whose threads have all begun has 1.4 GiB of data and 4.3 of address
 * space; builds, a bank file and a busy hour come on top of both.
 */
const LEAST = {
  data: { gib: 3, raise: 'ulimit -d of its user, or LimitDATA of its service' },
  'address space': { gib: 8, raise: 'ulimit -v of its user, or LimitAS of its service' },
} as const;

/**
 * Whether this process may set aside as much memory as a ledger needs that serves; a Left says what to raise. What memory it
 * uses in fact is bounded by the machine and by its control group, which no figure here is about.
 *
 * @param limits see `memoryLimits`
 */
export const leastMemory = (limits: readonly MemoryLimit[] = memoryLimits()): E.Either<CommandFailure, void> => {
  const low = limits.find(({ kind, bytes }) => bytes < LEAST[kind].gib * GIB);
  if (low === undefined) return E.right(undefined);
  const { gib, raise } = LEAST[low.kind];
  return failing(
    1,
    `the machine lets this process set aside only ${Math.floor(low.bytes / 1_024 ** 2)} MiB of ${low.kind}, and a ledger that serves needs ${gib} GiB at the least: raise ${raise}, to unlimited, and bound what it uses by its control group (MemoryMax, --memory)`,
  );
};
