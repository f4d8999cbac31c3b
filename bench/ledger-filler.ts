import * as E from 'fp-ts/lib/Either.js';
import { isRevision } from '../src/domain/ids.ts';
import { instantOf } from '../src/domain/instant.ts';
import { orderEvent, type EventForStream } from '../src/domain/new-event.ts';
import type { EventStore, ExpectedRevision } from '../src/event-store/event-store.ts';
import { orderPayload } from './order-payload.ts';
import { signedDelivery } from './signed-delivery.ts';

export const EVENTS_OF_AN_ORDER = 4;

/** Orders whose events alternate in the log: some hundreds are under way at a busy merchant's at any time. */
const ORDERS_UNDER_WAY = 1_000;

/**
 * Of seventeen orders of a flow, this many end in another status than the payload's, each in the one that stands here.
 */
const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  completed: ['transferred', 'refunding', 'refunded', 'refunded', 'expired', 'InProgress'],
  PayoutSuccess: ['fiatDeemed', 'fiatFailed', 'refunded', 'refunded', 'completed', 'InProgress'],
};

/**
 * The last status of one order in some thousands, which the provider does not list. An order shows it where it has no
 * other.
 */
export const RARE_STATUS = 'onHold';

// All prime numbers, so that these orders are of every currency, token and flow.
const ENDING_ONE_IN = 17;
const RARE_ONE_IN = 4_093;
const OPEN_ONE_IN = 31;
/** With the steps `mostly-last`. */
const WHOLE_ONE_IN = 4;

const isRare = (order: number): boolean => order % RARE_ONE_IN === 1;

const ended = (payload: string, order: number): string => {
  for (const [usual, others] of Object.entries(ENDINGS)) {
    const other = isRare(order) ? RARE_STATUS : others[(order >>> 1) % ENDING_ONE_IN];
    const text = payload.replace(`"status":"${usual}"`, `"status":"${other ?? usual}"`);
    if (text !== payload) return text;
  }
  return payload;
};

/** The order's number in the log and its step, from 0. */
export type Step = { readonly order: number; readonly step: number };

/**
 * Which of their four events orders have. `all`: all four. `some-open`: one order in 31 has only the first, a rare one
 * only the last, all others have four. `mostly-last`: the same, but three in four of these others have only the last.
 */
export type Steps = 'all' | 'some-open' | 'mostly-last';

export type Filling = {
  readonly orders: number;
  readonly steps: Steps;
  /** Sets this ledger's order ids apart: 22 hex digits or more. */
  readonly run: string;
  /** The orders are created evenly between these, ms since 1970. */
  readonly from: number;
  readonly until: number;
};

const EVERY_STEP = [0, 1, 2, 3] as const;
const FIRST_STEP = [0] as const;
const LAST_STEP = [3] as const;

/**
 * Whether an order has only its first event: of such on-ramp orders as are older than three hours the anomaly is
 * `overdue`.
 */
export const isOpen = (steps: Steps, order: number): boolean => steps !== 'all' && order % OPEN_ONE_IN === 0;

/** The steps of an order's events, at the revisions 0, 1, … */
const stepsOf = (steps: Steps, order: number): readonly number[] => {
  if (steps === 'all') return EVERY_STEP;
  if (isOpen(steps, order)) return FIRST_STEP;
  const hasOnlyLast = isRare(order) || (steps === 'mostly-last' && (order >>> 1) % WHOLE_ONE_IN !== 0);
  return hasOnlyLast ? LAST_STEP : EVERY_STEP;
};

/** When an order was created, ms since 1970. */
const createdAtOf = ({ orders, from, until }: Filling, order: number): number =>
  from + Math.floor((order * (until - from)) / orders);

/** The event of one step of one order: signed, as a delivery of it would be recorded. */
export const orderStep = (filling: Filling, { order, step }: Step): EventForStream => {
  const createdAt = createdAtOf(filling, order);
  const payload = orderPayload(filling.run, createdAt - (order % 86_400_000), { order, step });
  const text = step === EVENTS_OF_AN_ORDER - 1 ? ended(payload, order) : payload;
  const { verified, content } = signedDelivery(text, instantOf(createdAt + step * 60_000));
  return orderEvent(verified, content);
};

const expectedAt = (revision: number): ExpectedRevision => {
  const before = revision - 1;
  return isRevision(before) ? before : 'none';
};

/** Fills an empty store with the events of so many orders, and answers how many these are. */
export const fillLedger = async (
  store: Pick<EventStore, 'append'>,
  filling: Filling,
  onProgress: (share: number) => void,
): Promise<number> => {
  let events = 0;
  for (let first = 0; first < filling.orders; first += ORDERS_UNDER_WAY) {
    const last = Math.min(first + ORDERS_UNDER_WAY, filling.orders);
    for (let revision = 0; revision < EVENTS_OF_AN_ORDER; revision += 1) {
      const appends: Promise<E.Either<unknown, unknown>>[] = [];
      for (let order = first; order < last; order += 1) {
        const step = stepsOf(filling.steps, order)[revision];
        if (step === undefined) continue;
        const { stream, event } = orderStep(filling, { order, step });
        appends.push(store.append(stream, expectedAt(revision), [event])());
        events += 1;
      }
      await settled(appends);
    }
    onProgress(last / filling.orders);
  }
  return events;
};

const settled = async (appends: readonly Promise<E.Either<unknown, unknown>>[]): Promise<void> => {
  for (const append of await Promise.all(appends)) {
    if (E.isLeft(append)) throw new Error(`an append of the benchmark failed: ${JSON.stringify(append.left)}`);
  }
};
