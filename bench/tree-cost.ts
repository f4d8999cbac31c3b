import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import * as t from 'io-ts';
import { assertReplies, CONNECTIONS } from './ingest-stretch.ts';
import { costOfKeeping } from './keeper-cost.ts';
import { startLoadGenerator, type LoadGenerator } from './load-generator-process.ts';
import type { OwnedResources } from './owned-resources.ts';
import { processorBy, usedSince, type ByThread } from './process-figures.ts';
import { startSwitchedLedger, type ServerProcess } from './server-process.ts';
import { BENCH_SECRET } from './signed-delivery.ts';
import { median, rounded } from './spread.ts';

/** How much more one kind of turns takes than the other: the median of all blocks, and where the middle half of them lies. */
type More = { readonly median: number; readonly from: number; readonly to: number };

/** Processor time of one delivery, in microseconds, with the tree of the log and without: medians of all turns. */
type CostOfDelivery = {
  readonly withTree: number;
  readonly without: number;
  /** 0.02 is 2 %. */
  readonly more: More;
  /** The same of turns of one kind: what the machine varies by, which no difference of kinds can be told from. */
  readonly moreOfEqual: More;
};

/** What the tree costs while deliveries come; null where the system shows no processor time. */
export type TreeCost = {
  readonly deliveries: number;
  readonly blocks: number;
  readonly goalMore: number;
  /** The thread that receives: it is what limits ingest. */
  readonly receiving: CostOfDelivery;
  /** All threads, until what was received is in the read models and signed. */
  readonly whole: CostOfDelivery;
  /** The keeper of the tree while it serves, checkpoints included: microseconds an event, and its share of a delivery without it. */
  readonly serving: { readonly event: number; readonly share: number };
  /** The keeper alone in a process, handed the same events: microseconds an event, the least of some rounds. */
  readonly alone: number;
} | null;

const GOAL_MORE = 0.02;
const BLOCKS = 6;
/** Compiled code and caches change for so long, and with them what a delivery takes. */
const WARM_UP = 40_000;
/** These bring the tree what it missed. */
const BEHIND = 64;
/** Of each round: what comes between two checkpoints in a burst. */
const ALONE_EVENTS = 20_000;
const ALONE_ROUNDS = 6;
const LONGEST_SECONDS = 120;
/** Longer than the time between two checkpoints. */
const QUIET_MS = 1_100;
/** What a ledger that does nothing uses within that time, at the most. */
const QUIET_US = 20_000;
const LONGEST_WAIT_MS = 60_000;

const Used = t.type({ events: t.number, us: t.number });

/** Microseconds a delivery. */
type Turn = { readonly receiving: number; readonly whole: number };
/** Of one process, and in one stretch of time: two turns of each kind. */
type Block = { readonly withTree: readonly [Turn, Turn]; readonly without: readonly [Turn, Turn] };

const sum = (used: ByThread): number => [...used.values()].reduce((all, us) => all + us, 0);

/** Until a ledger has done what it still had to do behind its answers. */
const settled = async ({ pid }: ServerProcess): Promise<void> => {
  const giveUpAt = Date.now() + LONGEST_WAIT_MS;
  for (let before = sum(processorBy(pid)); Date.now() < giveUpAt; before = sum(processorBy(pid))) {
    await after(QUIET_MS);
    if (sum(processorBy(pid)) - before < QUIET_US) return;
  }
};

/** Sends deliveries of distinct orders, and measures what they take. */
const delivered = async (generator: LoadGenerator, server: ServerProcess, count: number): Promise<Turn> => {
  const run = randomBytes(16).toString('hex');
  await generator.prepare({ mode: 'distinct', from: 0, count, run, startedAt: Date.now(), secret: BENCH_SECRET });
  const before = processorBy(server.pid);
  const { host, port } = server;
  const load = { host, port, connections: CONNECTIONS, outcome: 'recorded', deliveries: count, perSecond: null };
  const result = await generator.run({ ...load, seconds: LONGEST_SECONDS });
  assertReplies(result, 'recorded', server);
  await settled(server);
  const used = usedSince(before, processorBy(server.pid));
  return { receiving: (used.get('receiving') ?? 0) / count, whole: sum(used) / count };
};

const moreOf = (ratios: readonly number[]): More => {
  const sorted = ratios.toSorted((a, b) => a - b);
  const at = (share: number): number => rounded((sorted[Math.round(share * (sorted.length - 1))] ?? NaN) - 1, 4);
  return { median: rounded(median(ratios) - 1, 4), from: at(0.25), to: at(0.75) };
};

const costOf = (blocks: readonly Block[], part: keyof Turn): CostOfDelivery => {
  const us = (turns: readonly Turn[]): readonly number[] => turns.map((turn) => turn[part]);
  const total = (turns: readonly Turn[]): number => us(turns).reduce((all, each) => all + each, 0);
  return {
    withTree: rounded(median(blocks.flatMap(({ withTree }) => us(withTree))), 1),
    without: rounded(median(blocks.flatMap(({ without }) => us(without))), 1),
    more: moreOf(blocks.map(({ withTree, without }) => total(withTree) / total(without))),
    moreOfEqual: moreOf(
      blocks.flatMap(({ withTree, without }) => [withTree, without].map(([one, other]) => one[part] / other[part])),
    ),
  };
};

/**
 * Measures what the tree of the log adds to a delivery in processor time. One ledger is given short turns with the tree and
 * without, whose order turns round with each block: two processes of one program differ by more than what is looked for, and
 * so do the minutes of one.
 */
export const measureTreeCost = async (
  owned: OwnedResources,
  deliveries: number,
  note: (line: string) => void,
): Promise<TreeCost> => {
  const folder = owned.directory();
  const [hold, used] = [join(folder, 'hold'), join(folder, 'used')];
  const generator = startLoadGenerator(owned);
  const server = await startSwitchedLedger(owned, BENCH_SECRET, folder);
  const turn = async (hasTree: boolean): Promise<Turn> => {
    if (!hasTree) writeFileSync(hold, '');
    const measured = await delivered(generator, server, deliveries);
    rmSync(hold, { force: true });
    await delivered(generator, server, BEHIND);
    return measured;
  };
  try {
    if (processorBy(server.pid).size === 0) return null;
    note('warming up a ledger');
    await delivered(generator, server, WARM_UP);
    const blocks: Block[] = [];
    for (let block = 0; block < BLOCKS; block += 1) {
      note(`deliveries with the tree and without, block ${block + 1} of ${BLOCKS}`);
      const outer = block % 2 === 0;
      const first = await turn(outer);
      const inner = [await turn(!outer), await turn(!outer)] as const;
      const outside = [first, await turn(outer)] as const;
      blocks.push(outer ? { withTree: outside, without: inner } : { withTree: inner, without: outside });
    }
    const read: unknown = JSON.parse(readFileSync(used, 'utf8'));
    if (!Used.is(read)) throw new Error('the ledger did not write what its tree takes');
    const [receiving, whole] = [costOf(blocks, 'receiving'), costOf(blocks, 'whole')];
    const event = read.us / read.events;
    note('the keeper of the tree alone');
    return {
      deliveries,
      blocks: BLOCKS,
      goalMore: GOAL_MORE,
      receiving,
      whole,
      serving: { event: rounded(event, 1), share: rounded(event / whole.without, 4) },
      alone: rounded(await costOfKeeping(owned, ALONE_EVENTS, ALONE_ROUNDS), 1),
    };
  } finally {
    await server.stop();
    await generator.stop();
    owned.remove(folder);
  }
};
