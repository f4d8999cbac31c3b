import * as t from 'io-ts';
import { oneOf } from './guarded.ts';
import { EventIdText, OrderIdText, type EventId, type OrderId } from './ids.ts';
import type { Reason } from './reason.ts';

/** What became of a delivery that an order event was read from (docs/spec/domain.md, Decision). */
export type OrderOutcome = 'recorded' | 'duplicate' | 'conflict';

/** Data of a `DeliveryQuarantined`: why its body was no order event by the rules of that day. */
export type QuarantineData = {
  readonly reasons: readonly Reason[];
  /** Null where the body named no order. */
  readonly orderId: OrderId | null;
};

/** Data of a `QuarantineReleased`. */
export type ReleaseData = {
  /** The event in the order's stream that the body became, or that was there already. */
  readonly eventId: EventId;
  readonly outcome: OrderOutcome;
  readonly orderId: OrderId;
};

const Quarantine: { readonly is: t.Is<QuarantineData> } = t.type({
  reasons: t.readonlyArray(t.type({ path: t.string, message: t.string })),
  orderId: t.union([OrderIdText, t.null]),
});

const Release: { readonly is: t.Is<ReleaseData> } = t.type({
  eventId: EventIdText,
  outcome: oneOf<OrderOutcome>('outcome', ['recorded', 'duplicate', 'conflict']),
  orderId: OrderIdText,
});

const parse = <A>(codec: { readonly is: t.Is<A> }, text: string): A | null => {
  try {
    const data: unknown = JSON.parse(text);
    return codec.is(data) ? data : null;
  } catch {
    return null;
  }
};

/** Reads the data of a `DeliveryQuarantined`; null where it is not what the ledger writes. */
export const parseQuarantineData = (text: string): QuarantineData | null => parse(Quarantine, text);

/** Reads the data of a `QuarantineReleased`; null where it is not what the ledger writes. */
export const parseReleaseData = (text: string): ReleaseData | null => parse(Release, text);

/** The stored form, its members always in this order. */
export const quarantineDataBytes = ({ reasons, orderId }: QuarantineData): Buffer =>
  Buffer.from(JSON.stringify({ reasons, orderId }));

/** The stored form, its members always in this order. */
export const releaseDataBytes = ({ eventId, outcome, orderId }: ReleaseData): Buffer =>
  Buffer.from(JSON.stringify({ eventId, outcome, orderId }));
