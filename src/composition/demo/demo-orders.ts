import * as E from 'fp-ts/lib/Either.js';
import { atMost } from '../../concurrency/at-most.ts';
import type { Flow } from '../../domain/flow.ts';
import { instantOf } from '../../domain/instant.ts';
import type { AskedOrder } from '../../sandbox/order-request.ts';
import type { Fault } from '../../sandbox/fault.ts';
import { NAMED_PATHS, type Path } from '../../sandbox/path.ts';
import type { Run, Sandbox } from '../../sandbox/sandbox.ts';

/** So few that the webhooks of a live order follow each other closely. */
export const ORDERS_AT_ONCE = 4;

const WITHIN_MS = 30 * 86_400_000;

/** Orders on every path in turn, most of them delivered well and some of them badly. */
const PAST_RUNS: readonly (Run & { readonly orders: number })[] = [
  { orders: 150, rate: null, withinMs: WITHIN_MS, faults: new Set(['shuffle']) },
  { orders: 40, rate: null, withinMs: WITHIN_MS, faults: new Set(['shuffle', 'duplicates', 'other-facts']) },
];

/** One webhook a second. */
export const LIVE_RUN: Run = { orders: null, rate: 1, withinMs: 0, faults: new Set() };

/** The ways that pass through the most statuses before they end. */
const WAYS: readonly (readonly [Flow, Path])[] = [
  ['onramp', NAMED_PATHS.onramp.get('completed-in-progress') ?? []],
  ['offramp', NAMED_PATHS.offramp.get('paid-in-progress') ?? []],
];

/** An order that stands still at each status on the way, as those of a run don't. */
const placeUnderWay = async (sandbox: Sandbox): Promise<number> => {
  const asked = WAYS.flatMap(([flow, path]) =>
    path.slice(0, -1).map((_, last) => ({ flow, path: path.slice(0, last + 1), faults: new Set<never>(), fields: {} })),
  );
  const placed = asked.map((order) => sandbox.place(order)).filter(E.isRight);
  await Promise.all(placed.map(({ right }) => right.delivered));
  return placed.length;
};

const DAY = 86_400_000;
const HOUR = 3_600_000;

/** An off-ramp order of INR is paid out, and an on-ramp order completed, on each of so many days. */
const DAYS = 30;

/** The currencies of a day's settlements: INR always, the others in turn, and all of them today and yesterday. */
const currenciesOf = (day: number): readonly string[] =>
  day < 2 ? ['INR', 'AED', 'EUR'] : ['INR', day % 2 === 0 ? 'AED' : 'EUR'];

/** A payout that the bank has not confirmed for longer than anybody likes. */
const HANGS_FOR_MS = 3 * DAY + 16 * HOUR;

/** An order that changed last at a moment, and was created an hour before. */
const settledAt = (flow: Flow, path: Path, settledMs: number, currency = 'INR'): AskedOrder => {
  const created = instantOf(settledMs - HOUR);
  const times = { updated_at: instantOf(settledMs) };
  return {
    flow,
    path,
    faults: new Set(),
    fields: { currency, ...times, ...(flow === 'onramp' ? { createdAt: created } : { created_at: created }) },
  };
};

/** Orders whose provider says when they settled, so that there are some on every day, and one whose payout hangs. */
const settledOrders = (nowMs: number): readonly AskedOrder[] => {
  const paid = NAMED_PATHS.offramp.get('paid') ?? [];
  const completed = NAMED_PATHS.onramp.get('completed') ?? [];
  const deemed = NAMED_PATHS.offramp.get('deemed') ?? [];
  const days = Array.from({ length: DAYS }, (_, day) => ({
    currencies: currenciesOf(day),
    settledMs: nowMs - day * DAY - HOUR / 3,
  }));
  return [
    settledAt('offramp', deemed, nowMs - HANGS_FOR_MS),
    ...days.flatMap(({ currencies, settledMs }) =>
      currencies.flatMap((currency) => [
        settledAt('offramp', paid, settledMs, currency),
        settledAt('onramp', completed, settledMs, currency),
      ]),
    ),
  ];
};

const OLD_MS = 5 * HOUR;

const through = (...statuses: readonly string[]): Path => statuses.map((status) => ({ status, payout: null }));

const RECEIVED = through('pending', 'orderReceived', 'CryptoReceived');

const once = (status: string, payout: number | string): Path => [{ status, payout }];

/** What does not fit and no run of orders has, each once: an order for every anomaly that the provider causes. */
const oddOrders = (nowMs: number): readonly AskedOrder[] => {
  const odd = (flow: Flow, path: Path, ...faults: readonly Fault[]): AskedOrder => ({
    ...settledAt(flow, path, nowMs - OLD_MS),
    faults: new Set(faults),
  });
  return [
    odd('onramp', through('fiatPending', 'orderReceived', 'completed', 'refunded')),
    odd('onramp', through('fiatPending', 'expired', 'orderReceived')),
    odd('onramp', through('fiatPending'), 'no-expiry'),
    odd('offramp', [...RECEIVED, ...once('PayoutSuccess', 1), ...once('PayoutSuccess', 2)]),
    odd('offramp', [...RECEIVED, ...once('fiatFailed', '300000000001'), ...once('PayoutSuccess', '300000000001')]),
    odd('offramp', [...RECEIVED, ...through('onHold')]),
    odd('offramp', [...RECEIVED, ...once('PayoutSuccess', 1)], 'other-wallet'),
    odd('offramp', [...RECEIVED, ...once('PayoutSuccess', 1)], 'unreadable-field'),
  ];
};

/** Places orders, as many at a time as the demonstration does. */
const placeAll = async (sandbox: Sandbox, orders: readonly AskedOrder[]): Promise<number> => {
  const placed = await atMost(ORDERS_AT_ONCE, orders, async (order) => {
    const begun = sandbox.place(order);
    if (E.isRight(begun)) await begun.right.delivered;
    return begun;
  });
  return E.isRight(placed) ? placed.right.length : 0;
};

/** Plays orders of the last thirty days on every path, and some that are under way; resolves with how many they are. */
export const playHistory = async (sandbox: Sandbox, nowMs: number): Promise<number> => {
  let orders = await placeUnderWay(sandbox);
  orders += await placeAll(sandbox, [...settledOrders(nowMs), ...oddOrders(nowMs)]);
  for (const run of PAST_RUNS) {
    await sandbox.play(run);
    orders += run.orders;
  }
  return orders;
};
