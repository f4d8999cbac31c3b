import { expect } from 'chai';
import * as t from 'io-ts';
import { businessCalendar, type BusinessDay } from '../../src/domain/business-day.ts';
import { instantOf } from '../../src/domain/instant.ts';
import type { Flow } from '../../src/domain/flow.ts';
import { CSV_PROFILE } from '../../src/sandbox/money/csv-statement.ts';
import type { ExpectedItem } from '../../src/sandbox/money/expected-items.ts';
import { explorerFile } from '../../src/sandbox/money/explorer-file.ts';
import { EVERY_MONEY_FAULT } from '../../src/sandbox/money/money-fault.ts';
import type { BankFormat } from '../../src/sandbox/money/bank-file.ts';
import type { StatementSpan } from '../../src/sandbox/money/bank-statements.ts';
import type { Money } from '../../src/sandbox/money/money.ts';
import { signWith } from '../../src/sandbox/parcel.ts';
import { PLAYED_PATHS } from '../../src/sandbox/played-paths.ts';
import { createPost } from '../../src/sandbox/post.ts';
import { Sandbox } from '../../src/sandbox/sandbox.ts';
import { sandboxClock } from '../../src/sandbox/sandbox-clock.ts';
import { eventStoreDbUnderTest } from '../support/eventstoredb-under-test.ts';
import { inTurns } from '../support/in-turns.ts';
import { SECRET } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { API_KEY, startLedger, type LedgerOptions, type RunningLedger } from '../support/running-ledger.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2026-04-10T12:00:00Z');
const ZONE = 'Asia/Kolkata';
/** Orders settle on each of so many days, across the end of a month. */
const DAYS = 12;
const AT_ONCE = 16;

const calendar = businessCalendar(ZONE);
const dayOf = (epochMs: number): BusinessDay => calendar.dayOf(instantOf(Math.floor(epochMs)));

const Positioned = t.type({ position: t.union([t.string, t.null]) });
const Items = t.type({
  next: t.union([t.string, t.null]),
  data: t.array(
    t.type({
      state: t.string,
      rule: t.union([t.null, t.string]),
      breaks: t.array(t.type({ code: t.string })),
      orders: t.array(t.type({ orderId: t.string })),
      lines: t.array(t.type({ references: t.array(t.string) })),
      transfers: t.array(t.type({ txnHash: t.string })),
    }),
  ),
});

/** A sandbox's run, and the files that a ledger takes of it. */
export type MoneyPlayed = {
  readonly seed: string;
  readonly orders: number;
  readonly span: StatementSpan;
  /** Null: each currency in its usual one. */
  readonly format: BankFormat | null;
  readonly store: 'sqlite' | 'eventstoredb';
};

const sorted = (items: readonly ExpectedItem[]): readonly ExpectedItem[] =>
  items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

/** An order whose provider says when it settled. */
const settled = (flow: Flow, daysAgo: number) => {
  const settledAt = instantOf(NOW - daysAgo * DAY - 3_600_000);
  const createdAt = instantOf(NOW - daysAgo * DAY - 7_200_000);
  return flow === 'onramp' ? { createdAt, updated_at: settledAt } : { created_at: createdAt, updated_at: settledAt };
};

const send = async ({ url }: RunningLedger, path: string, type: string, body: string): Promise<string> => {
  const headers = { Authorization: `Bearer ${API_KEY}`, 'Content-Type': type };
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body });
  const answer: unknown = await response.json();
  expect(response.status, `${path} ${JSON.stringify(answer)}`).to.equal(200);
  return right(Positioned.decode(answer)).position ?? '';
};

/** Hands everything over, and answers with what includes it. */
const handOver = async (ledger: RunningLedger, { files, movements }: Money): Promise<string> => {
  await send(ledger, '/v1/statements/profiles/sandbox', 'application/json', JSON.stringify(CSV_PROFILE));
  let position = '';
  for (const { name, format, text } of files) {
    const table = format === 'csv' ? '&profile=sandbox' : '';
    position = await send(ledger, `/v1/statements?name=${name}&format=${format}${table}`, 'text/plain', text);
  }
  for (const [chainId, its] of movements)
    position = await send(ledger, `/v1/transfers?chainId=${chainId}`, 'text/csv', explorerFile(its));
  return position;
};

/** Every item of a ledger, as the sandbox's expectations are written. */
const found = async ({ url }: RunningLedger, position: string): Promise<readonly ExpectedItem[]> => {
  const items: ExpectedItem[] = [];
  let cursor = '';
  for (;;) {
    const response = await fetch(`${url}/v1/reconciliation/items?limit=500&position=${position}${cursor}`, {
      headers: { Authorization: `Bearer ${API_KEY}` },
    });
    const { data, next } = right(Items.decode(await response.json()));
    for (const { state, rule, breaks, orders, lines, transfers } of data) {
      const nobodys = [...lines.flatMap(({ references }) => references), ...transfers.map(({ txnHash }) => txnHash)];
      items.push({
        orders: orders.map(({ orderId }) => orderId).toSorted(),
        unknown: orders.length === 0 ? nobodys : [],
        lines: lines.length,
        transfers: transfers.length,
        state,
        rule,
        breaks: breaks.map(({ code }) => code).toSorted(),
      });
    }
    if (next === null) return items;
    cursor = `&cursor=${encodeURIComponent(next)}`;
  }
};

const playedSandbox = async (ledgerUrl: string, seed: string, orders: number): Promise<Sandbox> => {
  const sandbox = new Sandbox({
    seed,
    clock: sandboxClock(() => NOW),
    wallMs: () => NOW,
    monotonicMs: () => performance.now(),
    wait: () => Promise.resolve(),
    callback: {
      post: createPost(new URL('/v1/webhooks', ledgerUrl), AT_ONCE, () => performance.now()),
      sign: signWith(Buffer.from(SECRET)),
    },
    retries: { mostTries: null, firstWaitMs: 50 },
    ordersAtOnce: AT_ONCE,
    onGivenUp: () => undefined,
  });
  const asked = Array.from({ length: orders }, (_, i) => {
    const { flow, path } = PLAYED_PATHS[i % PLAYED_PATHS.length] ?? expect.fail('there is no path');
    // The way to the end of a path is of no interest to bank and chain.
    return { flow, path: path.slice(-2), faults: new Set<never>(), fields: settled(flow, i % DAYS) };
  });
  await inTurns(asked, AT_ONCE, async (order) => right(sandbox.place(order)).delivered);
  return sandbox;
};

/** A ledger that took all of a sandbox's webhooks, bank files and transfers finds what is expected, to the item. */
export const expectMoneyAgrees = async ({ seed, orders, span, format, store }: MoneyPlayed): Promise<void> => {
  const server = store === 'sqlite' ? null : await eventStoreDbUnderTest();
  const options: LedgerOptions = {
    now: () => instantOf(NOW),
    env: {
      BUSINESS_TIME_ZONE: ZONE,
      ...(server === null ? {} : { EVENT_STORE_URL: server.url, EVENT_STORE_STREAM_PREFIX: server.streamPrefix }),
    },
  };
  const ledger = await startLedger(options);
  try {
    const sandbox = await playedSandbox(ledger.url, seed, orders);
    const question = { span, through: dayOf(NOW - DAY), format };
    const money = sandbox.money({ faults: EVERY_MONEY_FAULT, dayOf }, question);
    sandbox.end();
    const position = await handOver(ledger, money);
    expect(sorted(await found(ledger, position))).to.deep.equal(sorted(money.expected));
  } finally {
    await ledger.close();
    await server?.close();
  }
};
