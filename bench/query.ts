import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { auditKinds } from './audit-kinds.ts';
import { buildReadModels } from './build-read-models.ts';
import { countBusyCores, type BusyCores } from './busy-cores.ts';
import { deepKinds } from './deep-kinds.ts';
import { writableLedger, type LedgerSource } from './filled-ledger.ts';
import { assertReplies, CONNECTIONS } from './ingest-stretch.ts';
import { quantileMs } from './latency-histogram.ts';
import type { Filling } from './ledger-filler.ts';
import { listKinds } from './list-kinds.ts';
import { startLoadGenerator } from './load-generator-process.ts';
import { orderId } from './order-payload.ts';
import { orderSamples } from './order-sample.ts';
import type { OwnedResources } from './owned-resources.ts';
import { memoryOf } from './process-figures.ts';
import { measureLag, type ProjectionLag } from './projection-lag.ts';
import { queryClient, type QueryClient } from './query-client.ts';
import { queryDates } from './query-dates.ts';
import { GOALS, type QueryKind } from './query-kind.ts';
import { measureQueries, type Latencies } from './query-stretch.ts';
import { reportKinds } from './report-kinds.ts';
import { newApiKeys, startLedger, type ServerProcess } from './server-process.ts';
import { BENCH_SECRET } from './signed-delivery.ts';
import { untilSigned } from './signed-log.ts';
import { rounded } from './spread.ts';
import { temporaryStorage, type Storage } from './temporary-storage.ts';

export type QueryOptions = {
  readonly source: LedgerSource;
  /** Length of the measured stretch. */
  readonly seconds: number;
  /** Deliveries per second meanwhile; 0 for none but those that the lag is measured by. */
  readonly rate: number;
  /** So many questions are under way at any time, each on a connection of its own. */
  readonly connections: number;
};

export type QueryResult = {
  readonly benchmark: 'query';
  readonly orders: number;
  readonly events: number;
  readonly storage: Storage;
  readonly connections: number;
  readonly buildSeconds: number;
  readonly seconds: number;
  readonly kinds: readonly (Latencies & {
    readonly name: string;
    /** The 99th percentile that is aimed at. */
    readonly goalMs: number;
    /** How many rows its first answer had: a question that finds nothing says little. */
    readonly rows: number;
  })[];
  readonly lag: ProjectionLag & { readonly goalMs: number };
  readonly deliveries: {
    readonly wantedPerSecond: number;
    readonly perSecond: number;
    /** Measured from when each was due. */
    readonly p50Ms: number;
    readonly p99Ms: number;
    readonly longestMs: number;
  };
  /** Over the measured stretch. */
  readonly cores: BusyCores;
  readonly peakRss: number | null;
};

/** Each kind is asked some ten times meanwhile, so that code that a ledger has compiled long ago is compiled. */
const WARM_UP_SECONDS = 8;
const LAG_GOAL_MS = 500;
const SAMPLES = 1_000;

const Rows = t.partial({ data: t.array(t.unknown), rows: t.array(t.unknown), orderId: t.string });

const rowsOf = (text: string): number => {
  const decoded = Rows.decode(JSON.parse(text));
  if (E.isLeft(decoded)) throw new Error(`not understood: ${text}`);
  const { data, rows } = decoded.right;
  return (data ?? rows)?.length ?? 1;
};

/** The page of one order; orders that follow each other here lie far apart in the log. */
const pageKind = ({ run, orders }: Filling): QueryKind => ({
  name: 'order page',
  goalMs: GOALS.order,
  personal: false,
  path: (n) => `/v1/orders/${orderId(run, (n * 7_919) % orders)}`,
});

const kindsFor = async (client: QueryClient, filling: Filling): Promise<readonly QueryKind[]> => {
  const [samples, dates] = [orderSamples(filling, SAMPLES), queryDates(filling)];
  return [
    pageKind(filling),
    ...listKinds(samples, dates),
    ...(await deepKinds(client, dates)),
    ...reportKinds(dates),
    ...(await auditKinds(client, samples, dates)),
  ];
};

/** Events of an order that is delivered. */
const STEPS = 4;

/**
 * Deliveries at an even rate, of orders with four statuses each. None has the number of one that is there: it would have its
 * utr or hash too, and the match would find a payment made twice in each.
 */
const deliveriesTo = async (owned: OwnedResources, server: ServerProcess, rate: number, orders: number) => {
  const generator = startLoadGenerator(owned);
  const run = randomBytes(16).toString('hex');
  const startedAt = Date.now();
  let location = STEPS * orders;
  return {
    pid: generator.pid,
    stop: generator.stop,
    prepare: async (seconds: number): Promise<void> => {
      const count = Math.max(1, rate * seconds);
      await generator.prepare({ mode: 'four', from: location, count, run, startedAt, secret: BENCH_SECRET });
      location += count;
    },
    send: async (seconds: number) => {
      const { host, port } = server;
      const most = { deliveries: rate * seconds, seconds };
      const rates = { connections: CONNECTIONS, perSecond: Math.max(1, rate) };
      const sent = await generator.run({ host, port, outcome: 'recorded', ...most, ...rates });
      assertReplies(sent, 'recorded', server);
      return sent;
    },
  };
};

/**
 * Latencies of every kind of question to a running ledger, over HTTP, while deliveries arrive at a steady rate, and how
 * far its read models are behind meanwhile.
 *
 * @param note takes a line of progress
 * @throws Error where the ledger answers anything but what was asked for
 */
export const measureQuery = async (
  owned: OwnedResources,
  { source, seconds, rate, connections }: QueryOptions,
  note: (line: string) => void,
): Promise<QueryResult> => {
  const ledger = await writableLedger(owned, source, note);
  const { location, filling, events } = ledger;
  const built = await buildReadModels(location, join(location.dataDir, 'read-models.db'));
  note(`read models built in ${built.seconds.toFixed(1)} s`);
  const apiKeys = newApiKeys();
  const server = await startLedger(owned, {
    secret: BENCH_SECRET,
    apiKeys,
    dataDir: location.dataDir,
    nodeArguments: [],
  });
  const newClient = (): QueryClient => queryClient({ host: server.host, port: server.port, apiKeys });
  const clients = Array.from({ length: connections }, newClient);
  const lagClient = newClient();

  const kinds = await kindsFor(lagClient, filling);
  const rows: number[] = [];
  for (const { path, personal } of kinds) rows.push(rowsOf((await lagClient.get(path(0), personal)).text));
  note(`${kinds.length} kinds of questions`);
  await untilSigned(lagClient, events);

  const deliveries = await deliveriesTo(owned, server, rate, filling.orders);
  await deliveries.prepare(WARM_UP_SECONDS);
  await Promise.all([deliveries.send(WARM_UP_SECONDS), measureQueries(clients, kinds, WARM_UP_SECONDS)]);
  await deliveries.prepare(seconds);
  const probe = {
    client: lagClient,
    secret: BENCH_SECRET,
    run: randomBytes(16).toString('hex'),
    startedAt: Date.now(),
  };
  const counted = countBusyCores(server.pid, deliveries.pid);
  const measured = Promise.all([
    deliveries.send(seconds),
    measureQueries(clients, kinds, seconds),
    measureLag(probe, seconds),
  ]);
  // The last list may wait for its position for some seconds more, in which nobody asks for anything else.
  await wait(seconds * 1000);
  const cores = counted();
  const [sent, latencies, lag] = await measured;
  const peakRss = memoryOf(server.pid)?.peak ?? null;

  for (const client of [...clients, lagClient]) client.close();
  await deliveries.stop();
  await server.stop();
  ledger.remove();
  const nothing = { requests: 0, p50Ms: null, p99Ms: null, longestMs: null };
  return {
    benchmark: 'query',
    orders: filling.orders,
    events,
    storage: temporaryStorage(),
    connections,
    buildSeconds: rounded(built.seconds, 2),
    seconds,
    kinds: kinds.map(({ name, goalMs }, i) => ({ name, goalMs, rows: rows[i] ?? 0, ...(latencies[i] ?? nothing) })),
    lag: { ...lag, goalMs: LAG_GOAL_MS },
    deliveries: {
      wantedPerSecond: rate,
      perSecond: sent.seconds > 0 ? rounded(sent.deliveries / sent.seconds, 1) : 0,
      p50Ms: rounded(quantileMs(sent.latency, 0.5), 3),
      p99Ms: rounded(quantileMs(sent.latency, 0.99), 3),
      longestMs: rounded(sent.latency.maxMs, 3),
    },
    cores,
    peakRss,
  };
};
