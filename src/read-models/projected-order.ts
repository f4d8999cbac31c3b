import * as E from 'fp-ts/lib/Either.js';
import { foldOrder, type OrderState } from '../../projections/order-state/index.ts';
import { orderStream, type Utr } from '../domain/ids.ts';
import { readLedgerEvent, type FoldedEvent, type LedgerEvent } from '../domain/ledger-event.ts';
import { unreadableEvent, type UnreadableEvent } from '../domain/unreadable-event.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';

/** An order as read models keep it. */
export type ProjectedOrder = {
  readonly state: OrderState;
  /** Utrs of its events that no payout of the state shows, in code-unit order. The order is found by them too. */
  readonly otherUtrs: readonly Utr[];
};

/** What a stream's events come to. `order`: null where no order event could be read. */
export type Projected = {
  readonly order: ProjectedOrder | null;
  /** Those of the recorded events that were read. */
  readonly read: readonly LedgerEvent[];
  /** Damaged events. The order is folded without them, and `verify` names them. */
  readonly unreadable: readonly UnreadableEvent[];
};

const utrsBeside = (events: readonly FoldedEvent[], { payouts }: OrderState): readonly Utr[] => {
  const utrs = new Set<Utr>();
  for (const { facts } of events) if (facts.utr !== null) utrs.add(facts.utr);
  for (const { utr } of payouts) if (utr !== null) utrs.delete(utr);
  return utrs.size === 0 ? NO_UTRS : [...utrs].toSorted();
};

const NO_UTRS: readonly Utr[] = [];

/** Reads an event of an order's stream; told its place among those that are projected too. */
export type ReadEvent = (event: RecordedEvent, place: number) => ReturnType<typeof readLedgerEvent>;

/**
 * Projects the events of an order's stream, all of them up to some position.
 *
 * @param before those that come before the recorded ones, where they were read already
 * @param readEvent in place of reading an event, where its payload was read before
 */
export const projectOrder = (
  recorded: readonly RecordedEvent[],
  readEvent: ReadEvent = readLedgerEvent,
  before: readonly FoldedEvent[] = [],
): Projected => {
  const own: LedgerEvent[] = [];
  const unreadable: UnreadableEvent[] = [];
  let place = 0;
  for (const event of recorded) {
    const read = readEvent(event, place);
    place += 1;
    if (E.isLeft(read)) unreadable.push(read.left);
    else if (orderStream(read.right.facts.orderId) === event.stream) own.push(read.right);
    // Two streams of one order would be two rows of it.
    else unreadable.push(unreadableEvent(event, 'its body is not of this stream'));
  }
  const events = before.length === 0 ? own : [...before, ...own];
  const state = foldOrder(events);
  return { order: state === null ? null : { state, otherUtrs: utrsBeside(events, state) }, read: own, unreadable };
};
