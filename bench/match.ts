import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import * as t from 'io-ts';
import { readStatementFile } from '../src/statements/read-statement-file.ts';
import { isUnreadable } from '../src/statements/unreadable.ts';
import { bankFile } from './bank-file.ts';
import { filledLedger, type LedgerSource } from './filled-ledger.ts';
import { orderPayload } from './order-payload.ts';
import type { OwnedResources } from './owned-resources.ts';
import { forgetPeak, memoryOf } from './process-figures.ts';
import { queryClient, type QueryClient } from './query-client.ts';
import { newApiKeys, startLedger } from './server-process.ts';
import { BENCH_SECRET } from './signed-delivery.ts';
import { median, rounded } from './spread.ts';

export type MatchOptions = { readonly source: LedgerSource; readonly lines: number };

/** Seconds that a file of 100,000 lines is to take, imported and matched. */
const GOAL_SECONDS = 20;

export type MatchResult = {
  readonly benchmark: 'match';
  readonly subject: 'a bank file imported and matched';
  readonly baseline: 'plain pass that parses the file';
  readonly orders: number;
  readonly lines: number;
  readonly fileBytes: number;
  readonly goalSeconds: number;
  readonly baselineSeconds: number;
  /** Until the import is answered, and until all of it is matched, from the request on. */
  readonly importedSeconds: number;
  readonly matchedSeconds: number;
  /** Plain pass by import and match. */
  readonly ratio: number;
  /** Items of orders with lines. */
  readonly joined: number;
  /** How long deliveries took to be listed meanwhile. */
  readonly lagMs: { readonly deliveries: number; readonly median: number; readonly most: number };
  /** Of the summary and of a page of items afterwards. */
  readonly summaryMs: number;
  readonly itemsMs: number;
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
const ASKED = 50;

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

const middleOf = async (client: QueryClient, path: string): Promise<number> => {
  const took: number[] = [];
  for (let asked = 0; asked < ASKED; asked += 1) took.push((await client.get(path, false)).ms);
  return rounded(median(took), 2);
};

/**
 * Seconds that a bank file takes to be imported and matched by a ledger to which deliveries go on, beside a plain pass in
 * this process that parses the same file.
 *
 * @throws Error where something fails, or nothing is matched
 */
export const measureMatch = async (
  owned: OwnedResources,
  { source, lines }: MatchOptions,
  note: (line: string) => void,
): Promise<MatchResult> => {
  const ledger = await filledLedger(owned, source, note);
  const { filling } = ledger;
  const file = bankFile(filling, lines);
  const baselineStart = performance.now();
  const read = await readStatementFile(file, { format: 'mt940', profile: null, account: null, currency: null });
  const baselineSeconds = (performance.now() - baselineStart) / 1000;
  if (isUnreadable(read)) throw new Error(read.detail);
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
  note(`importing ${lines} lines, ${file.length} bytes`);
  const start = performance.now();
  const seconds = (): number => rounded((performance.now() - start) / 1000, 2);
  const reply = await fetch(new URL('/v1/statements', server.url), {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKeys.personal}`, 'Content-Type': 'application/octet-stream' },
    body: new Uint8Array(file),
  });
  const text = await reply.text();
  if (reply.status !== 200) throw new Error(`the import was answered ${reply.status}\n${text}`);
  const importedSeconds = seconds();
  const joined = joinedIn(await answered(asking, `/v1/reconciliation?position=${positionIn(text)}`));
  const matchedSeconds = seconds();
  end.abort();
  const lags = await lagging;
  if (joined === 0) throw new Error('nothing was matched');
  const peakRss = peakIsOwn ? (memoryOf(server.pid)?.peak ?? null) : null;
  const [summaryMs, itemsMs] = [
    await middleOf(asking, '/v1/reconciliation'),
    await middleOf(asking, '/v1/reconciliation/items?state=unmatched-line&limit=50'),
  ];
  asking.close();
  delivering.close();
  await server.stop();
  ledger.remove();
  return {
    benchmark: 'match',
    subject: 'a bank file imported and matched',
    baseline: 'plain pass that parses the file',
    orders: filling.orders,
    lines,
    fileBytes: file.length,
    goalSeconds: GOAL_SECONDS,
    baselineSeconds: rounded(baselineSeconds, 2),
    importedSeconds,
    matchedSeconds,
    ratio: rounded(baselineSeconds / matchedSeconds, 4),
    joined,
    lagMs: { deliveries: lags.length, median: Math.round(median(lags)), most: Math.round(Math.max(...lags)) },
    summaryMs,
    itemsMs,
    rssBefore,
    peakRss,
  };
};
