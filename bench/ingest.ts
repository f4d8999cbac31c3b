import { randomBytes } from 'node:crypto';
import { INGEST_RULES, type IngestMode } from './ingest-mode.ts';
import { CONNECTIONS, measureStretch } from './ingest-stretch.ts';
import { ratioOf, summarise, type IngestSummary, type MemorySample, type Round } from './ingest-summary.ts';
import { startLoadGenerator, type LoadGenerator } from './load-generator-process.ts';
import type { OwnedResources } from './owned-resources.ts';
import { memoryOf, processorBy, usedSince } from './process-figures.ts';
import { newApiKeys, startBareServer, startLedger } from './server-process.ts';
import { temporaryStorage, type Storage } from './temporary-storage.ts';
import { writtenWhenSettled } from './written-when-settled.ts';

export type IngestOptions = {
  readonly modes: readonly IngestMode[];
  /** Length of each measured stretch. */
  readonly seconds: number;
  readonly rounds: number;
  /** So many deliveries for each mode instead of `seconds` and `rounds`. */
  readonly deliveries: number | null;
  /** Measures the bare server against itself: how far a ratio strays from 1 on this machine. */
  readonly noiseFloor: boolean;
  readonly ledgerNodeArguments: readonly string[];
};

export type IngestResult = {
  readonly benchmark: 'ingest';
  readonly subject: 'ledger' | 'bare Koa again';
  readonly baseline: 'bare Koa';
  readonly connections: number;
  /** Where the data directories lay. */
  readonly storage: Storage;
  readonly modes: readonly IngestSummary[];
};

/** Deliveries before the first round, so that both servers are compiled; in the mode `duplicates` the originals too. */
const WARM_UP_DELIVERIES = 20_000;
const WARM_UP_SECONDS = 2;
/** As many as fit into the memory of a small machine, at a little over a kilobyte each. */
const MOST_PREPARED = 300_000;
/** With a given number of deliveries a round is this long: figures are shown for each. */
const COUNTED_ROUND = 100_000;
const UNLIMITED = Number.MAX_SAFE_INTEGER;
const LONGEST_COUNTED_ROUND_SECONDS = 600;

const measureMode = async (
  owned: OwnedResources,
  generator: LoadGenerator,
  mode: IngestMode,
  options: IngestOptions,
  note: (line: string) => void,
): Promise<IngestSummary> => {
  const rules = INGEST_RULES[mode];
  const secret = randomBytes(32).toString('base64url');
  const run = randomBytes(16).toString('hex');
  const startedAt = Date.now();
  const bare = await startBareServer(owned, secret);
  const subject = options.noiseFloor
    ? await startBareServer(owned, secret)
    : await startLedger(owned, {
        secret,
        apiKeys: newApiKeys(),
        dataDir: null,
        nodeArguments: options.ledgerNodeArguments,
      });

  let delivered = 0;
  let place = 0;
  let prepared = 0;
  let bodyBytes = 0;
  const memory: MemorySample[] = [];
  const sampleMemory = (): void => {
    const now = memoryOf(subject.pid);
    if (now !== null) memory.push({ deliveries: delivered, rss: now.rss });
  };
  const prepare = async (count: number): Promise<void> => {
    const all = await generator.prepare({ mode, from: place, count, run, startedAt, secret });
    prepared = count;
    bodyBytes = all / count;
  };
  const sends = async (outcome: string, deliveries: number, seconds: number) => {
    const expected = options.noiseFloor ? 'received' : outcome;
    const stretch = await measureStretch({
      generator,
      server: subject,
      other: bare,
      outcome: expected,
      deliveries,
      seconds,
    });
    delivered += stretch.deliveries;
    place += stretch.deliveries;
    return stretch;
  };
  const sendsBare = (deliveries: number, seconds: number) =>
    measureStretch({ generator, server: bare, other: subject, outcome: 'received', deliveries, seconds });

  sampleMemory();
  await prepare(WARM_UP_DELIVERIES);
  const { perSecond: bareRate } = await sendsBare(UNLIMITED, WARM_UP_SECONDS);
  await sends('recorded', prepared, LONGEST_COUNTED_ROUND_SECONDS);
  if (rules.repeats) await sends(rules.outcome, prepared, LONGEST_COUNTED_ROUND_SECONDS);
  sampleMemory();

  /** Sends the same requests again where that makes no difference; else each of them once. */
  const mostFor = (): number => (rules.repeats || options.noiseFloor ? UNLIMITED : prepared);
  const rounds: Round[] = [];
  const countedRounds = options.deliveries === null ? options.rounds : Math.ceil(options.deliveries / COUNTED_ROUND);
  for (let i = 0; i < countedRounds; i += 1) {
    const counted =
      options.deliveries === null ? null : Math.min(COUNTED_ROUND, options.deliveries - i * COUNTED_ROUND);
    const wanted = counted ?? Math.min(MOST_PREPARED, Math.ceil(bareRate * options.seconds));
    if (!rules.repeats) await prepare(wanted);
    const seconds = counted === null ? options.seconds : LONGEST_COUNTED_ROUND_SECONDS;
    const baseline = await sendsBare(UNLIMITED, options.seconds);
    const before = { written: await writtenWhenSettled(subject.pid), processor: processorBy(subject.pid) };
    const measured = await sends(rules.outcome, counted ?? mostFor(), seconds);
    const written = usedSince(before.written, await writtenWhenSettled(subject.pid));
    const processor = usedSince(before.processor, processorBy(subject.pid));
    const rss = memoryOf(subject.pid)?.rss ?? null;
    const round = { baseline, subject: measured, written, processor, delivered, rss };
    rounds.push(round);
    note(`${rules.title}, round ${i + 1} of ${countedRounds}: ${ratioOf(round).toFixed(3)}`);
  }
  const peak = memoryOf(subject.pid)?.peak ?? null;
  await subject.stop();
  await bare.stop();
  return summarise(mode, bodyBytes, rounds, memory, peak);
};

/**
 * Deliveries per second of the ledger, each durable before its reply, beside a bare Koa server on the same machine
 * under the same load. Each mode has fresh processes and a fresh data directory; the two servers are measured in turns.
 *
 * @param note takes a line of progress
 * @throws Error where a server fails or answers anything but what the mode expects
 */
export const measureIngest = async (
  owned: OwnedResources,
  options: IngestOptions,
  note: (line: string) => void,
): Promise<IngestResult> => {
  const modes: IngestSummary[] = [];
  for (const mode of options.modes) {
    const generator = startLoadGenerator(owned);
    modes.push(await measureMode(owned, generator, mode, options, note));
    await generator.stop();
  }
  return {
    benchmark: 'ingest',
    subject: options.noiseFloor ? 'bare Koa again' : 'ledger',
    baseline: 'bare Koa',
    connections: CONNECTIONS,
    storage: temporaryStorage(),
    modes,
  };
};
