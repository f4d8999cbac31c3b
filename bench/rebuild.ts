import { statSync } from 'node:fs';
import { join } from 'node:path';
import { buildReadModels } from './build-read-models.ts';
import { filledLedger, type FilledLedger, type LedgerSource } from './filled-ledger.ts';
import type { OwnedResources } from './owned-resources.ts';
import { plainRead } from './plain-read.ts';
import { forgetPeak, memoryOf } from './process-figures.ts';
import { median, rounded, spreadOf, type Spread } from './spread.ts';

export type RebuildOptions = {
  readonly source: LedgerSource;
  /** Orders of a smaller ledger that is measured first; null: none. */
  readonly also: number | null;
  readonly rounds: number;
};

/** The ratio of rebuilt to plainly read events per second that is aimed at. */
const GOAL = 0.5;

/** The figures of one ledger, over all rounds. */
export type RebuildSummary = {
  readonly orders: number;
  readonly events: number;
  /** Rebuild by plain pass, of the events per second in each round. */
  readonly ratio: Spread;
  /** Medians. */
  readonly eventsPerSecond: number;
  readonly baselineEventsPerSecond: number;
  readonly microsecondsPerEvent: number;
  /**
   * Resident memory of this process before the first rebuild and at its most during any; null where the system shows
   * none.
   */
  readonly rssBefore: number | null;
  readonly peakRss: number | null;
  readonly eventStoreBytes: number;
  readonly readModelBytes: number;
  readonly rounds: readonly {
    readonly ratio: number;
    readonly eventsPerSecond: number;
    readonly baselineEventsPerSecond: number;
    readonly peakRss: number | null;
  }[];
};

export type RebuildResult = {
  readonly benchmark: 'rebuild';
  readonly subject: 'rebuild of all read models';
  readonly baseline: 'plain pass that parses data and metadata';
  readonly goal: number;
  /** The smaller one first. */
  readonly ledgers: readonly RebuildSummary[];
};

const parseBoth = (data: string, metadata: string): unknown => [JSON.parse(data), JSON.parse(metadata)];

const measured = async (
  { location, filling, events }: FilledLedger,
  readModelFile: string,
  rounds: number,
  note: (line: string) => void,
): Promise<RebuildSummary> => {
  const done: RebuildSummary['rounds'][number][] = [];
  let [rssBefore, readModelBytes]: [number | null, number] = [null, 0];
  for (let round = 1; round <= rounds; round += 1) {
    const baselineSeconds = await plainRead(location.file, events, parseBoth);
    const before = memoryOf(process.pid);
    if (round === 1) rssBefore = before?.rss ?? null;
    const peakIsOwn = forgetPeak(process.pid);
    const built = await buildReadModels(location, readModelFile);
    if (built.events !== events) throw new Error(`${built.events} events were projected where there are ${events}`);
    readModelBytes = statSync(built.file).size;
    const ratio = baselineSeconds / built.seconds;
    done.push({
      ratio: rounded(ratio, 4),
      eventsPerSecond: Math.round(events / built.seconds),
      baselineEventsPerSecond: Math.round(events / baselineSeconds),
      peakRss: peakIsOwn ? (memoryOf(process.pid)?.peak ?? null) : null,
    });
    note(`${events} events, round ${round} of ${rounds}: ${ratio.toFixed(3)}`);
  }
  const eventsPerSecond = median(done.map((round) => round.eventsPerSecond));
  const peaks = done.map(({ peakRss }) => peakRss).filter((peak) => peak !== null);
  return {
    orders: filling.orders,
    events,
    ratio: spreadOf(done.map(({ ratio }) => ratio)),
    eventsPerSecond,
    baselineEventsPerSecond: median(done.map((round) => round.baselineEventsPerSecond)),
    microsecondsPerEvent: rounded(1_000_000 / eventsPerSecond, 3),
    rssBefore,
    peakRss: peaks.length === 0 ? null : Math.max(...peaks),
    eventStoreBytes: statSync(location.file).size,
    readModelBytes,
    rounds: done,
  };
};

/**
 * Events per second of a full rebuild of all read models in this process, beside a plain pass in one thread over the
 * same events; the two take turns.
 *
 * @param note takes a line of progress
 * @throws Error where something fails, or events are missing
 */
export const measureRebuild = async (
  owned: OwnedResources,
  { source, also, rounds }: RebuildOptions,
  note: (line: string) => void,
): Promise<RebuildResult> => {
  const sources: readonly LedgerSource[] = [
    ...(also === null ? [] : [{ ...source, orders: also, keep: null, data: null }]),
    source,
  ];
  const ledgers: RebuildSummary[] = [];
  for (const one of sources) {
    const ledger = await filledLedger(owned, one, note);
    const readModels = owned.directory();
    ledgers.push(await measured(ledger, join(readModels, 'read-models.db'), rounds, note));
    owned.remove(readModels);
    ledger.remove();
  }
  return {
    benchmark: 'rebuild',
    subject: 'rebuild of all read models',
    baseline: 'plain pass that parses data and metadata',
    goal: GOAL,
    ledgers,
  };
};
