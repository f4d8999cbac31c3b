import { randomBytes } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import { assertReplies, CONNECTIONS } from './ingest-stretch.ts';
import { startLoadGenerator, type LoadGenerator } from './load-generator-process.ts';
import type { OwnedResources } from './owned-resources.ts';
import { cpuTimeOf } from './process-figures.ts';
import { startTreeLedger, type ServerProcess } from './server-process.ts';
import { BENCH_SECRET } from './signed-delivery.ts';
import { rounded } from './spread.ts';
import { costOfKeeping } from './keeper-cost.ts';

/** Processor time of one delivery, in microseconds, with the tree of the log and without. */
type CostOfDelivery = {
  readonly withTree: number;
  readonly without: number;
  /** How much more it is with the tree: 0.02 is 2 %. */
  readonly more: number;
};

/**
 * What the tree costs while deliveries come; null where the system shows no processor time. Each figure is the least of all
 * rounds: whatever else the machine does only adds to it.
 */
export type TreeCost = {
  readonly deliveries: number;
  readonly rounds: number;
  readonly goalMore: number;
  /** The thread that receives: it is what limits ingest. */
  readonly receiving: CostOfDelivery;
  /** All threads, until what was received is in the read models and signed. */
  readonly whole: CostOfDelivery;
  /** The keeper of the tree alone, handed the same events: microseconds an event, and its share of a delivery without it. */
  readonly alone: { readonly event: number; readonly share: number };
} | null;

const GOAL_MORE = 0.02;
const ROUNDS = 6;
const WARM_UP = 6_000;
const LONGEST_SECONDS = 120;
const QUIET_MS = 1_500;
/** What a ledger that does nothing uses within that time, at the most. */
const QUIET_SECONDS = 0.03;
const LONGEST_WAIT_MS = 60_000;
const MICROSECONDS = 1_000_000;

type Used = { readonly receiving: number; readonly whole: number };

const usedBy = ({ pid }: ServerProcess): Used | null => {
  const time = cpuTimeOf(pid);
  return time === null ? null : { receiving: time.threads.get(String(pid)) ?? 0, whole: time.total };
};

/** Until a ledger has done what it still had to do behind its answers. */
const settled = async (server: ServerProcess): Promise<void> => {
  const giveUpAt = Date.now() + LONGEST_WAIT_MS;
  for (let before = usedBy(server); Date.now() < giveUpAt; before = usedBy(server)) {
    await after(QUIET_MS);
    if ((usedBy(server)?.whole ?? 0) - (before?.whole ?? 0) < QUIET_SECONDS) return;
  }
};

/** Sends deliveries of distinct orders, and measures what they take in microseconds each. */
const delivered = async (
  { generator, server }: { readonly generator: LoadGenerator; readonly server: ServerProcess },
  count: number,
): Promise<Used | null> => {
  const run = randomBytes(16).toString('hex');
  await generator.prepare({ mode: 'distinct', from: 0, count, run, startedAt: Date.now(), secret: BENCH_SECRET });
  const before = usedBy(server);
  const { host, port } = server;
  const load = { host, port, connections: CONNECTIONS, outcome: 'recorded', deliveries: count, perSecond: null };
  const result = await generator.run({ ...load, seconds: LONGEST_SECONDS });
  assertReplies(result, 'recorded', server);
  await settled(server);
  const used = usedBy(server);
  if (before === null || used === null) return null;
  const each = (seconds: number): number => (seconds * MICROSECONDS) / result.deliveries;
  return { receiving: each(used.receiving - before.receiving), whole: each(used.whole - before.whole) };
};

const costOf = (withTree: readonly number[], without: readonly number[]): CostOfDelivery => {
  const [one, other] = [Math.min(...withTree), Math.min(...without)];
  return { withTree: rounded(one, 1), without: rounded(other, 1), more: rounded(one / other - 1, 4) };
};

/**
 * Measures what the tree of the log adds to a delivery, by turns with it and without, in processor time: a machine that does
 * other things too makes that no longer.
 */
export const measureTreeCost = async (
  owned: OwnedResources,
  deliveries: number,
  note: (line: string) => void,
): Promise<TreeCost> => {
  const generator = startLoadGenerator(owned);
  const servers = [await startTreeLedger(owned, BENCH_SECRET, true), await startTreeLedger(owned, BENCH_SECRET, false)];
  try {
    const used: (readonly Used[])[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      note(round === 0 ? 'warming up a ledger with the tree, and one without' : `round ${round} of ${ROUNDS}`);
      const inTurn: Used[] = [];
      // Whoever is first in one round is second in the next.
      for (const server of round % 2 === 0 ? servers : servers.toReversed()) {
        const each = await delivered({ generator, server }, round === 0 ? WARM_UP : deliveries);
        if (each === null) return null;
        inTurn.push(each);
      }
      if (round > 0) used.push(round % 2 === 0 ? inTurn : inTurn.toReversed());
    }
    const of = (i: number, part: keyof Used): readonly number[] => used.map((round) => round[i]?.[part] ?? 0);
    const whole = costOf(of(0, 'whole'), of(1, 'whole'));
    note('the keeper of the tree alone');
    const event = await costOfKeeping(owned, deliveries, ROUNDS);
    return {
      deliveries,
      rounds: ROUNDS,
      goalMore: GOAL_MORE,
      receiving: costOf(of(0, 'receiving'), of(1, 'receiving')),
      whole,
      alone: { event: rounded(event, 1), share: rounded(event / whole.without, 4) },
    };
  } finally {
    for (const server of servers) await server.stop();
    await generator.stop();
  }
};
