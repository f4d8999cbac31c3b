import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { sessionToken, SESSION_SECONDS } from '../src/console/session.ts';
import { sha256 } from '../src/domain/sha256.ts';
import { buildReadModels } from './build-read-models.ts';
import { writableLedger, type LedgerSource } from './filled-ledger.ts';
import { createLatencyRecorder } from './latency-histogram.ts';
import { orderId, orderPayload } from './order-payload.ts';
import type { OwnedResources } from './owned-resources.ts';
import { queryClient, type QueryClient } from './query-client.ts';
import { queryDates } from './query-dates.ts';
import { withQuery } from './query-kind.ts';
import { latenciesOf, type Latencies } from './query-stretch.ts';
import { LEDGER_SCOPES, newApiKeys, startLedger } from './server-process.ts';
import { BENCH_SECRET } from './signed-delivery.ts';
import { temporaryStorage, type Storage } from './temporary-storage.ts';

export type ConsoleOptions = { readonly source: LedgerSource; readonly requests: number };

export type ConsoleResult = {
  readonly benchmark: 'console';
  readonly orders: number;
  readonly events: number;
  readonly storage: Storage;
  /** Of the 99th percentile. */
  readonly goalMs: number;
  readonly pages: readonly (Latencies & { readonly name: string; readonly bytes: number })[];
};

const GOAL_MS = 100;
const WARM_UPS = 10;
/** What an order with a long history has. */
const LONG_HISTORY = 200;
const DEPTH = 20;

/** The cookie of a session with the key that sees personal data. */
const sessionCookie = (apiKey: string): string => {
  const key = { id: 'personal', scopes: new Set([...LEDGER_SCOPES, 'pii:read']), sha256: sha256(apiKey) };
  const expiresAt = Math.floor(Date.now() / 1000) + SESSION_SECONDS;
  return `ramp-ledger-session=${sessionToken({ key, nonce: randomBytes(18).toString('base64url'), expiresAt })}`;
};

/** Delivers an order whose payout is tried again and again, each time under another UTR, and answers its id. */
const deliverLongHistory = async (client: QueryClient): Promise<string> => {
  const run = randomBytes(16).toString('hex');
  const paid = orderPayload(run, Date.now(), { order: 1, step: 3 });
  for (let n = 0; n < LONG_HISTORY; n += 1) {
    const body = paid
      .replace('"status":"PayoutSuccess"', '"status":"fiatDeemed"')
      .replace(/"utr":"[^"]*"/, `"utr":"UTR${run.slice(0, 8)}${n}"`);
    await client.deliver(body, createHmac('sha256', BENCH_SECRET).update(body).digest('hex'));
  }
  return orderId(run, 1);
};

/** The list so many pages on. */
const deepPath = async (client: QueryClient, cookie: string): Promise<string> => {
  let path = '/console/orders';
  for (let page = 1; page < DEPTH; page += 1) {
    const { text } = await client.page(path, cookie);
    path = /<a rel="next" href="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? path;
  }
  return path;
};

/**
 * How long pages of the console take, from the request to their last byte, one after the other on one connection.
 *
 * @param note takes a line of progress
 * @throws Error where a page is not answered
 */
export const measureConsole = async (
  owned: OwnedResources,
  { source, requests }: ConsoleOptions,
  note: (line: string) => void,
): Promise<ConsoleResult> => {
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
  const client = queryClient({ host: server.host, port: server.port, apiKeys });
  const cookie = sessionCookie(apiKeys.personal);
  const long = `/console/orders/${await deliverLongHistory(client)}`;
  const dates = queryDates(filling);
  const deep = await deepPath(client, cookie);
  const paths: Readonly<Record<string, (n: number) => string>> = {
    'order with 200 events': () => long,
    'order, any': (n) => `/console/orders/${orderId(filling.run, (n * 7_919) % filling.orders)}`,
    'event with its signed bytes': () => `${long}/events/100`,
    orders: () => '/console/orders',
    [`orders, page ${DEPTH}`]: () => deep,
    'orders settled in a month': (n) =>
      withQuery('/console/orders', { phase: 'settled', basis: 'settled', ...dates.month(n) }),
    'orders with anomalies': () => '/console/orders?anomaly=any',
    overview: () => '/',
    'report of a year by month': () => withQuery('/console/reports/onramp', { ...dates.lastYear, groupBy: 'month' }),
    audit: () => '/console/audit',
  };
  const pages: ConsoleResult['pages'][number][] = [];
  for (const [name, path] of Object.entries(paths)) {
    const recorder = createLatencyRecorder();
    let bytes = 0;
    for (let n = -WARM_UPS; n < requests; n += 1) {
      const { ms, text } = await client.page(path(n + WARM_UPS), cookie);
      if (n >= 0) recorder.record(ms);
      bytes = Buffer.byteLength(text);
    }
    pages.push({ name, bytes, ...latenciesOf(recorder) });
    note(name);
  }
  client.close();
  await server.stop();
  ledger.remove();
  return {
    benchmark: 'console',
    orders: filling.orders,
    events: events + LONG_HISTORY,
    storage: temporaryStorage(),
    goalMs: GOAL_MS,
    pages,
  };
};
