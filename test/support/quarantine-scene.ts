import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type * as E from 'fp-ts/lib/Either.js';
import { branded } from '../../src/domain/brand.ts';
import type { VerifiedDelivery } from '../../src/domain/delivery.ts';
import { orderStream, quarantineStream, type OrderId, type RequestId } from '../../src/domain/ids.ts';
import { instantOf, type Instant } from '../../src/domain/instant.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { quarantineEvent } from '../../src/domain/new-event.ts';
import { parseReleaseData, type OrderOutcome } from '../../src/domain/quarantine-data.ts';
import { readContent } from '../../src/domain/read-content.ts';
import type { RecordedEvent } from '../../src/domain/recorded-event.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { KnownQuarantine } from '../../src/ledger/quarantined-bodies.ts';
import { RecentOrders } from '../../src/ledger/recent-orders.ts';
import { recordDelivery } from '../../src/ledger/record-delivery.ts';
import type { Recorded, RecordFailure } from '../../src/ledger/recorded.ts';
import { releaseQuarantined, type NotQuarantined } from '../../src/ledger/release-quarantined.ts';
import { verifyEvent } from '../../src/ledger/verify-event.ts';
import { bodyOf, newOrderId, offRamp, SECRET, verifiedDelivery } from './payloads.ts';
import { right } from './right.ts';
import type { OrderStore } from '../../src/ledger/record-order-event.ts';

/** What a recorder or a release is given of a store. */
export type Appends = OrderStore;

/** When the releases below are asked for. */
export const RELEASED_AT = instantOf(Date.UTC(2024, 5, 1));

export const newRequestId = (): RequestId => branded<RequestId>(randomUUID());

/** A body as a delivery of its own: a request, and a moment, that no other has to have. */
export const arrived = (body: Buffer, receivedAt = instantOf(Date.UTC(2023, 2, 1))): VerifiedDelivery =>
  verifiedDelivery(body, { requestId: newRequestId(), receivedAt });

/** Puts a body into quarantine that today's rules can read, as an older version would have. */
export const putAway = async (
  store: EventStore,
  payload: JsonObject | string,
  receivedAt?: Instant,
): Promise<VerifiedDelivery> => {
  const verified = arrived(bodyOf(payload), receivedAt);
  const { stream, event } = quarantineEvent(verified, [{ path: 'utr', message: 'expected a string' }], null);
  right(await store.append(stream, 'none', [event])());
  return verified;
};

/** Asks for a release, without counting on its success. */
export const askForRelease = (
  store: Appends,
  body: Buffer,
  recent = new RecentOrders(0),
): Promise<E.Either<RecordFailure | NotQuarantined, Recorded>> =>
  releaseQuarantined({ store, recent })({
    bodySha256: sha256(body),
    releasedAt: RELEASED_AT,
    requestId: newRequestId(),
  })();

export const release = async (store: Appends, body: Buffer): Promise<Recorded> =>
  right(await askForRelease(store, body));

/** Delivers a body to a ledger that has just started, and that may reach its store in another way. */
export const deliver = async (store: EventStore, body: Buffer, through: Appends = store): Promise<Recorded> => {
  const quarantined = right(await new KnownQuarantine().load(store)());
  const record = recordDelivery({ store: through, recent: new RecentOrders(0), quarantined });
  return right(await record({ verified: arrived(body, RELEASED_AT), content: readContent(body) })());
};

/** Delivers to a ledger that knows of no quarantine. */
export const deliverUnaware = async (store: EventStore, body: Buffer, receivedAt?: Instant): Promise<Recorded> => {
  const record = recordDelivery({ store, recent: new RecentOrders(0), quarantined: new Set() });
  return right(await record({ verified: arrived(body, receivedAt), content: readContent(body) })());
};

export const orderEvents = async (store: EventStore, orderId: string): Promise<readonly RecordedEvent[]> =>
  right(await store.readStream(orderStream(branded<OrderId>(orderId)))());

/** How many events there are, each of which proves itself. */
export const countProven = async (store: EventStore): Promise<number> => {
  let events = 0;
  for await (const event of store.readAll(null)) {
    expect(verifyEvent(right(event), () => Buffer.from(SECRET)).problems).to.deep.equal([]);
    events += 1;
  }
  return events;
};

/** A body that went to its order with this answer was put away once and released once, in the words of the answer. */
export const expectReleased = async (store: EventStore, body: Buffer, answer: Recorded): Promise<void> => {
  const events = right(await store.readStream(quarantineStream(sha256(body)))());
  expect(events.map(({ type }) => type)).to.deep.equal(['DeliveryQuarantined', 'QuarantineReleased']);
  const { event, outcome, orderId, stream } = answer;
  expect(parseReleaseData(events[1]?.data ?? '')).to.deep.equal({ eventId: event.eventId, outcome, orderId });
  const there = right(await store.readStream(stream)())[event.revision];
  expect([there?.id, there?.position]).to.deep.equal([event.eventId, event.position]);
};

/** Ways for a release to end in its order: what was there before, where the event of the answer stands, what is there then. */
export const ENDS = {
  recorded: { before: { status: 'pending', utr: null }, revision: 1, types: ['OffRampPending', 'OffRampFiatDeemed'] },
  duplicate: { before: { updated_at: '2024-01-01T00:00:00Z' }, revision: 0, types: ['OffRampFiatDeemed'] },
  conflict: { before: { fiat: 1 }, revision: 1, types: ['OffRampFiatDeemed', 'ConflictingDelivery'] },
} as const;

export const OUTCOMES = ['recorded', 'duplicate', 'conflict'] as const satisfies readonly OrderOutcome[];

/** An order with a delivery in quarantine whose release ends so. */
export const scene = async (
  store: EventStore,
  outcome: OrderOutcome,
): Promise<{ readonly orderId: string; readonly body: Buffer }> => {
  const orderId = newOrderId();
  const payload = offRamp({ orderId, status: 'fiatDeemed', utr: 'U1' });
  await deliver(store, bodyOf({ ...payload, ...ENDS[outcome].before }));
  return { orderId, body: (await putAway(store, payload)).body };
};
