import * as E from 'fp-ts/lib/Either.js';
import type { Flow } from '../../domain/flow.ts';
import { NAMED_PATHS, type Path } from '../../sandbox/path.ts';
import type { Run, Sandbox } from '../../sandbox/sandbox.ts';

/** So few that the webhooks of a live order follow each other closely. */
export const ORDERS_AT_ONCE = 4;

const WITHIN_MS = 30 * 86_400_000;

/** Orders on every path in turn, most of them delivered well and some of them badly. */
const PAST_RUNS: readonly (Run & { readonly orders: number })[] = [
  { orders: 260, rate: null, withinMs: WITHIN_MS, faults: new Set(['shuffle']) },
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

/** Plays orders of the last thirty days on every path, and some that are under way; resolves with how many they are. */
export const playHistory = async (sandbox: Sandbox): Promise<number> => {
  let orders = await placeUnderWay(sandbox);
  for (const run of PAST_RUNS) {
    await sandbox.play(run);
    orders += run.orders;
  }
  return orders;
};
