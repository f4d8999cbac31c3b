import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import * as t from 'io-ts';
import { readStatementFile } from '../src/statements/read-statement-file.ts';
import { isUnreadable } from '../src/statements/unreadable.ts';
import { bankFile } from './bank-file.ts';
import { writableLedger, type LedgerSource } from './filled-ledger.ts';
import { createLatencyRecorder, quantileMs } from './latency-histogram.ts';
import { orderPayload } from './order-payload.ts';
import type { OwnedResources } from './owned-resources.ts';
import { forgetPeak, memoryOf, processorBy, usedSince } from './process-figures.ts';
import { queryClient, type QueryClient } from './query-client.ts';
import { newApiKeys, startLedger } from './server-process.ts';
import { BENCH_SECRET } from './signed-delivery.ts';
import { median, rounded } from './spread.ts';

export type MatchOptions = { readonly source: LedgerSource; readonly lines: number };

/** Seconds that a file of 100,000 lines is to take, imported and matched. */
const GOAL_SECONDS = 20;

/** More lines come in several files, one behind the other: a file has 16 MiB at the most. */
const LINES_OF_A_FILE = 100_000;

/** Of questions asked one after the other, in ms. */
type Asked = { readonly p50: number; readonly p99: number };

export type MatchResult = {
  readonly benchmark: 'match';
  readonly subject: 'bank files imported and matched';
  readonly baseline: 'plain pass that parses the files';
  readonly orders: number;
  readonly lines: number;
  readonly fileBytes: number;
  readonly goalSeconds: number;
  readonly baselineSeconds: number;
  /** Until the last import is answered, and until all of them are matched, from the first request on. */
  readonly importedSeconds: number;
  readonly matchedSeconds: number;
  /** Plain pass by import and match. */
  readonly ratio: number;
  /** Items of orders with lines. */
  readonly joined: number;
  /** How long deliveries took to be listed meanwhile. */
  readonly lagMs: { readonly deliveries: number; readonly median: number; readonly most: number };
  /** Processor time of a line, in microseconds, all in all and by thread; none where the system tells nobody. */
  readonly processorOfALine: { readonly all: number; readonly threads: Readonly<Record<string, number>> };
  /** Of the summary and of pages of items afterwards. */
  readonly summaryMs: Asked;
  readonly itemsMs: Asked;
  /** Resident memory of the ledger before the import, and at its most during it; null where the system shows none. */
  readonly rssBefore: number | null;
  readonly peakRss: number | null;
};

const Positioned = t.type({ position: t.string });
const Summary = t.type({ rows: t.array(t.type({ state: t.string, items: t.number })) });

const BUILT_WITHIN_MS = 600_000;
const LOOK_EVERY_MS = 100;
const DELIVERED_EVERY_MS = 100;
const BEHIND = 503;
const ASKED = 300;

/** Pages of fifty that are asked for by turns. */
const PAGES = ['', '&state=unmatched-line', '&state=matched', '&break=date-outside-tolerance', '&rule=utr'];

const positionIn = (text: string): string => {
  const answer: unknown = JSON.parse(text);
  if (!Positioned.is(answer)) throw new Error(`an answer without a position: ${text.slice(0, 200)}`);
  return answer.position;
};

/** Items of orders and lines: the orders of a filled ledger settle when they were filled in, so that their days differ. */
const joinedIn = (text: string): number => {
  const answer: unknown = JSON.parse(text);
  if (!Summary.is(answer)) throw new Error('the summary can not be read');
  return answer.rows.reduce(
    (sum, { state, items }) => (state === 'matched' || state === 'break' ? sum + items : sum),
    0,
  );
};

/** The answer of a path once it is no longer behind. */
const answered = async (client: QueryClient, path: string): Promise<string> => {
  const giveUpAt = performance.now() + BUILT_WITHIN_MS;
  for (;;) {
    const reply = await client.get(path, false, BEHIND);
    if (reply.status !== BEHIND) return reply.text;
    if (performance.now() > giveUpAt) throw new Error(`${path} is behind for ever`);
    await wait(LOOK_EVERY_MS);
  }
};

/** How long deliveries of new orders take until lists have them, one after the other until the signal is aborted. */
const lagsUntil = async (
  client: QueryClient,
  { run, first }: { readonly run: string; readonly first: number },
  signal: AbortSignal,
): Promise<readonly number[]> => {
  const lags: number[] = [];
  for (let order = first; !signal.aborted; order += 1) {
    const body = orderPayload(run, Date.now(), { order, step: 0 });
    const start = performance.now();
    const sent = await client.deliver(body, createHmac('sha256', BENCH_SECRET).update(body).digest('hex'));
    await answered(client, `/v1/orders?limit=1&position=${positionIn(sent.text)}`);
    lags.push(performance.now() - start);
    await wait(DELIVERED_EVERY_MS);
  }
  return lags;
};

/** The answer of an import; one behind another file waits until the ledger knows the lines of that. */
const importedFile = async (url: string, key: string, file: Buffer): Promise<string> => {
  const giveUpAt = performance.now() + BUILT_WITHIN_MS;
  for (;;) {
    const reply = await fetch(new URL('/v1/statements', url), {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/octet-stream' },
      body: new Uint8Array(file),
    });
    const text = await reply.text();
    if (reply.status === 200) return text;
    if (reply.status !== BEHIND || performance.now() > giveUpAt) {
      throw new Error(`the import was answered ${reply.status}\n${text}`);
    }
    await wait(LOOK_EVERY_MS);
  }
};

const askedFor = async (client: QueryClient, paths: readonly string[]): Promise<Asked> => {
  const took = createLatencyRecorder();
  for (let asked = 0; asked < ASKED; asked += 1) {
    took.record((await client.get(paths[asked % paths.length] ?? '', false)).ms);
  }
  const histogram = took.histogram();
  return { p50: rounded(quantileMs(histogram, 0.5), 2), p99: rounded(quantileMs(histogram, 0.99), 2) };
};

/** The files, and how long a plain pass took to parse them. */
const filesOf = async (
  filling: Parameters<typeof bankFile>[0],
  lines: number,
): Promise<{ readonly files: readonly Buffer[]; readonly seconds: number }> => {
  const files: Buffer[] = [];
  for (let first = 0; first < lines; first += LINES_OF_A_FILE) {
    files.push(bankFile(filling, Math.min(LINES_OF_A_FILE, lines - first), first));
  }
  const start = performance.now();
  for (const file of files) {
    const read = await readStatementFile(file, { format: 'mt940', profile: null, account: null, currency: null });
    if (isUnreadable(read)) throw new Error(read.detail);
  }
  return { files, seconds: (performance.now() - start) / 1000 };
};

/**
 * Seconds that bank files take to be imported and matched by a ledger to which deliveries go on, beside a plain pass in
 * this process that parses the same files.
 *
 * @throws Error where something fails, or nothing is matched
 */
export const measureMatch = async (
  owned: OwnedResources,
  { source, lines }: MatchOptions,
  note: (line: string) => void,
): Promise<MatchResult> => {
  const ledger = await writableLedger(owned, source, note);
  const { filling } = ledger;
  const { files, seconds: baselineSeconds } = await filesOf(filling, lines);
  const fileBytes = files.reduce((sum, { length }) => sum + length, 0);
  const apiKeys = newApiKeys();
  const { dataDir } = ledger.location;
  const server = await startLedger(owned, { secret: BENCH_SECRET, apiKeys, dataDir, nodeArguments: [] });
  const [asking, delivering] = [queryClient({ ...server, apiKeys }), queryClient({ ...server, apiKeys })];
  note('building read models');
  await answered(asking, '/v1/reconciliation');
  const rssBefore = memoryOf(server.pid)?.rss ?? null;
  const peakIsOwn = forgetPeak(server.pid);
  const end = new AbortController();
  const lagging = lagsUntil(delivering, { run: filling.run, first: filling.orders }, end.signal);
  note(`importing ${lines} lines, ${fileBytes} bytes`);
  const processorBefore = processorBy(server.pid);
  const start = performance.now();
  const seconds = (): number => rounded((performance.now() - start) / 1000, 2);
  let position = '';
  for (const file of files) {
    position = positionIn(await importedFile(server.url, apiKeys.personal, file));
  }
  const importedSeconds = seconds();
  const joined = joinedIn(await answered(asking, `/v1/reconciliation?position=${position}`));
  const matchedSeconds = seconds();
  const processor = usedSince(processorBefore, processorBy(server.pid));
  end.abort();
  const lags = await lagging;
  if (joined === 0) throw new Error('nothing was matched');
  const peakRss = peakIsOwn ? (memoryOf(server.pid)?.peak ?? null) : null;
  const [summaryMs, itemsMs] = [
    await askedFor(asking, ['/v1/reconciliation']),
    await askedFor(
      asking,
      PAGES.map((page) => `/v1/reconciliation/items?limit=50${page}`),
    ),
  ];
  asking.close();
  delivering.close();
  await server.stop();
  ledger.remove();
  return {
    benchmark: 'match',
    subject: 'bank files imported and matched',
    baseline: 'plain pass that parses the files',
    orders: filling.orders,
    lines,
    fileBytes,
    goalSeconds: GOAL_SECONDS,
    baselineSeconds: rounded(baselineSeconds, 2),
    importedSeconds,
    matchedSeconds,
    ratio: rounded(baselineSeconds / matchedSeconds, 4),
    joined,
    lagMs: { deliveries: lags.length, median: Math.round(median(lags)), most: Math.round(Math.max(...lags)) },
    processorOfALine: {
      all: rounded([...processor.values()].reduce((sum, used) => sum + used, 0) / lines, 1),
      threads: Object.fromEntries([...processor].map(([thread, used]) => [thread, rounded(used / lines, 1)])),
    },
    summaryMs,
    itemsMs,
    rssBefore,
    peakRss,
  };
};
