import { cpuTimeOf, cpuUse, processorBy, usedSince } from './process-figures.ts';
import { rounded } from './spread.ts';

/** How many cores were kept busy over a stretch of time, and by whom; null where the system shows none. */
export type BusyCores = {
  readonly ledger: number | null;
  /** The ledger's, by thread. */
  readonly byThread: Readonly<Record<string, number>>;
  readonly generator: number | null;
  /** Whoever asks, which is this process. */
  readonly asker: number;
};

const MICROSECONDS = 1_000_000;

/** Begins to count; what it answers ends the stretch. */
export const countBusyCores = (ledger: number, generator: number): (() => BusyCores) => {
  const readings = () => ({
    at: performance.now(),
    ledger: cpuTimeOf(ledger),
    byThread: processorBy(ledger),
    generator: cpuTimeOf(generator),
  });
  const [before, asked] = [readings(), process.cpuUsage()];
  return () => {
    const [after, { user, system }] = [readings(), process.cpuUsage(asked)];
    const seconds = (after.at - before.at) / 1000;
    const cores = (ofSeconds: number): number => rounded(ofSeconds / seconds, 3);
    const coresOf = (whose: 'ledger' | 'generator'): number | null => {
      const use = cpuUse(before[whose], after[whose], seconds);
      return use === null ? null : rounded(use.cores, 3);
    };
    const threads = usedSince(before.byThread, after.byThread);
    return {
      ledger: coresOf('ledger'),
      byThread: Object.fromEntries([...threads].map(([thread, used]) => [thread, cores(used / MICROSECONDS)])),
      generator: coresOf('generator'),
      asker: cores((user + system) / MICROSECONDS),
    };
  };
};
