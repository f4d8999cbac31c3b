import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { FLOWS } from '../src/domain/flow.ts';
import { signWith } from '../src/sandbox/parcel.ts';
import { PLAYED_PATHS } from '../src/sandbox/played-paths.ts';
import { createPost } from '../src/sandbox/post.ts';
import { Sandbox } from '../src/sandbox/sandbox.ts';
import { sandboxClock } from '../src/sandbox/sandbox-clock.ts';
import { quantileMs } from './latency-histogram.ts';
import { measureLoadLag } from './load-lag.ts';
import { joined, loadMeter, type LoadMeter } from './load-meter.ts';
import type { OwnedResources } from './owned-resources.ts';
import { cpuTimeOf, cpuUse, memoryOf } from './process-figures.ts';
import type { ProjectionLag } from './projection-lag.ts';
import { queryClient, type QueryClient } from './query-client.ts';
import { withQuery } from './query-kind.ts';
import { newApiKeys, startLedger } from './server-process.ts';
import { rounded } from './spread.ts';
import { temporaryStorage, type Storage } from './temporary-storage.ts';

export type LoadOptions = {
  /** Webhooks a second. */
  readonly rate: number;
  readonly seconds: number;
};

/** A tenth of the run. */
type Tenth = {
  /** Since the beginning of the run, at its end. */
  readonly atSeconds: number;
  readonly acceptedPerSecond: number;
  readonly p99Ms: number;
  /** Of the ledger, in bytes; null where the system shows none. */
  readonly rss: number | null;
};

export type LoadResult = {
  readonly benchmark: 'load';
  readonly storage: Storage;
  readonly orders: number;
  readonly wantedPerSecond: number;
  readonly acceptedPerSecond: number;
  /** Of the wanted rate. */
  readonly ratio: number;
  readonly seconds: number;
  readonly deliveries: {
    readonly accepted: number;
    readonly p50Ms: number;
    readonly p99Ms: number;
    readonly longestMs: number;
    /** How often each status was answered, the warm-up included. */
    readonly answers: Readonly<Record<string, number>>;
  };
  readonly lag: ProjectionLag;
  /** The ledger's, over the run. */
  readonly cores: number | null;
  /** Memory before the first delivery, and when all are through. */
  readonly startRss: number | null;
  readonly endRss: number | null;
  readonly tenths: readonly Tenth[];
};

const TENTHS = 10;
const LOOK_EVERY_MS = 20;
const SHORTEST_SECONDS = 0.001;
const ORDERS_AT_ONCE = 64;
const WARM_UP_SECONDS = 2;
const FIRST_RETRY_MS = 100;
/** Within which the reports must come to include everything. */
const CATCH_UP_MS = 120_000;
/** `behind` */
const NOT_YET = 503;
const SHOWN = 2_000;

const EVENTS_PER_ORDER = PLAYED_PATHS.reduce((sum, { path }) => sum + path.length, 0) / PLAYED_PATHS.length;

const Totals = t.type({ totals: t.array(t.UnknownRecord) });

const secondsSince = (startMs: number): number => (performance.now() - startMs) / 1_000;

const ordersFor = (rate: number, seconds: number): number =>
  Math.max(1, Math.round((rate * seconds) / EVENTS_PER_ORDER));

const sandboxFor = (meter: LoadMeter, secret: string): Sandbox =>
  new Sandbox({
    seed: randomBytes(8).toString('hex'),
    clock: sandboxClock(Date.now),
    wallMs: Date.now,
    monotonicMs: () => performance.now(),
    wait: (ms) => wait(ms),
    callback: { post: meter, sign: signWith(Buffer.from(secret)) },
    retries: { mostTries: null, firstWaitMs: FIRST_RETRY_MS },
    ordersAtOnce: ORDERS_AT_ONCE,
    onGivenUp: () => undefined,
  });

/** A report that includes what was answered, however long read models need for it. */
const totalsAt = async (client: QueryClient, flow: string, position: string): Promise<unknown> => {
  const giveUpAt = performance.now() + CATCH_UP_MS;
  for (;;) {
    const { status, text } = await client.get(withQuery(`/v1/reports/${flow}`, { position }), false, NOT_YET);
    if (status !== NOT_YET) {
      const read = Totals.decode(JSON.parse(text));
      if (E.isLeft(read)) throw new Error(`not understood: ${text.slice(0, SHOWN)}`);
      return read.right.totals;
    }
    if (performance.now() > giveUpAt) throw new Error(`the report of ${flow} did not include everything in time`);
  }
};

/** @throws Error where a report is not what the sandbox knows that it sent */
const checkReports = async (client: QueryClient, sandbox: Sandbox, position: string): Promise<void> => {
  for (const flow of FLOWS) {
    const [reported, expected] = [await totalsAt(client, flow, position), sandbox.expectation.totals(flow)];
    if (isDeepStrictEqual(reported, expected)) continue;
    const [was, should] = [reported, expected].map((totals) => JSON.stringify(totals).slice(0, SHOWN));
    throw new Error(`the report of ${flow} is not what was delivered\nreported ${was}\nexpected ${should}`);
  }
};

/** Cuts the run into tenths of what it delivers; resolves when all of it is through. */
const tenthsOf = async (
  meter: LoadMeter,
  pid: number,
  deliveries: number,
  isOver: () => boolean,
  note: (line: string) => void,
) => {
  const stretches: ReturnType<LoadMeter['cut']>[] = [];
  const tenths: Tenth[] = [];
  const startMs = performance.now();
  const cut = (): void => {
    const from = tenths.at(-1)?.atSeconds ?? 0;
    const atSeconds = rounded(secondsSince(startMs), 2);
    const stretch = meter.cut();
    stretches.push(stretch);
    tenths.push({
      atSeconds,
      acceptedPerSecond: rounded(stretch.accepted / Math.max(SHORTEST_SECONDS, atSeconds - from), 1),
      p99Ms: rounded(quantileMs(stretch.latency, 0.99), 3),
      rss: memoryOf(pid)?.rss ?? null,
    });
    note(`${tenths.length} of ${TENTHS} tenths in ${atSeconds.toFixed(1)} s`);
  };
  while (!isOver()) {
    await wait(LOOK_EVERY_MS);
    if (tenths.length < TENTHS - 1 && meter.accepted() >= deliveries / TENTHS) cut();
  }
  cut();
  return { tenths, whole: joined(stretches), elapsed: secondsSince(startMs) };
};

/**
 * A ledger under the sandbox's load: orders on every path, at a steady rate. At the end its reports must be what the
 * sandbox knows, to the last digit.
 *
 * @param note takes a line of progress
 * @throws Error where they are not, or where the ledger answers what it should not
 */
export const measureLoad = async (
  owned: OwnedResources,
  { rate, seconds }: LoadOptions,
  note: (line: string) => void,
): Promise<LoadResult> => {
  const secret = randomBytes(24).toString('base64url');
  const apiKeys = newApiKeys();
  const server = await startLedger(owned, { secret, apiKeys, dataDir: null, nodeArguments: [] });
  const { host, port, pid } = server;
  const startRss = memoryOf(pid)?.rss ?? null;
  const target = new URL(`http://${host}:${port}/v1/webhooks`);
  const meter = loadMeter(createPost(target, 2 * ORDERS_AT_ONCE, () => performance.now()));
  const sandbox = sandboxFor(meter, secret);
  const client = queryClient({ host, port, apiKeys });
  const play = (forSeconds: number): Promise<void> =>
    sandbox.play({ orders: ordersFor(rate, forSeconds), rate, withinMs: 0, faults: new Set() });

  await play(WARM_UP_SECONDS);
  meter.cut();
  note(`${rate} webhooks a second for ${seconds} s`);
  const before = cpuTimeOf(pid);
  let isOver = false;
  const whenOver = (): boolean => isOver;
  const playing = play(seconds).finally(() => {
    isOver = true;
  });
  const [, { tenths, whole, elapsed }, lag] = await Promise.all([
    playing,
    tenthsOf(meter, pid, ordersFor(rate, seconds) * EVENTS_PER_ORDER, whenOver, note),
    measureLoadLag(client, meter, whenOver),
  ]);
  const cores = cpuUse(before, cpuTimeOf(pid), elapsed)?.cores ?? null;
  const furthest = meter.furthest();
  if (furthest === null) throw new Error('no delivery was taken');
  await checkReports(client, sandbox, furthest);
  const endRss = memoryOf(pid)?.rss ?? null;

  client.close();
  sandbox.end();
  await server.stop();
  const acceptedPerSecond = whole.accepted / elapsed;
  return {
    benchmark: 'load',
    storage: temporaryStorage(),
    orders: ordersFor(rate, seconds),
    wantedPerSecond: rate,
    acceptedPerSecond: rounded(acceptedPerSecond, 1),
    ratio: rounded(acceptedPerSecond / rate, 4),
    seconds: rounded(elapsed, 2),
    deliveries: {
      accepted: whole.accepted,
      p50Ms: rounded(quantileMs(whole.latency, 0.5), 3),
      p99Ms: rounded(quantileMs(whole.latency, 0.99), 3),
      longestMs: rounded(whole.latency.maxMs, 3),
      answers: Object.fromEntries(sandbox.deliveries.counts().answers),
    },
    lag,
    cores: cores === null ? null : rounded(cores, 3),
    startRss,
    endRss,
    tenths,
  };
};
