import * as E from 'fp-ts/lib/Either.js';
import { branded } from '../../src/domain/brand.ts';
import type { VerifiedDelivery } from '../../src/domain/delivery.ts';
import { factsDigest } from '../../src/domain/facts-digest.ts';
import type { Flow } from '../../src/domain/flow.ts';
import type { RequestId, Revision, SecretId } from '../../src/domain/ids.ts';
import type { Instant } from '../../src/domain/instant.ts';
import { readLedgerEvent, type LedgerEvent } from '../../src/domain/ledger-event.ts';
import { conflictEvent, orderEvent } from '../../src/domain/new-event.ts';
import { positionAt } from '../../src/domain/position.ts';
import { readContent } from '../../src/domain/read-content.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { offRamp, onRamp } from './payloads.ts';
import { recordedEvent } from './recorded-event.ts';

/** Members of a payload, over those of the sample; `undefined` takes one away. */
export type Members = Readonly<Record<string, unknown>>;

/** The sample payloads of an order: complete, and the same for every status. */
const SAMPLES: Readonly<Record<Flow, Members>> = {
  onramp: onRamp({
    orderId: 'order-1',
    receiverWalletAddress: '0x1F90',
    buyTokenAddress: '0xEEEE',
    customer: { id: 'c1', email: 'asha.rao@example.com', phone: {}, created_at: '2022-11-28T12:45:17.000Z' },
  }),
  offramp: offRamp({
    orderId: 'order-1',
    senderWalletAddress: '0x2F90',
    sellTokenAddress: '0xDAC1',
    customer: {
      id: 'c2',
      name: 'Vikram Shah',
      email: 'vikram.shah@example.com',
      phone: { countrycode: '+91', number: '9876543210' },
      created_at: '2022-11-28T12:45:17.000Z',
    },
  }),
};

/** How an event came; by default as the first of its stream, at a fixed time, as an order event. */
export type Arrival = {
  readonly kind?: LedgerEvent['kind'];
  readonly revision?: number;
  readonly receivedAt?: string;
};

const deliveryOf = (body: Buffer, receivedAt: string): VerifiedDelivery => ({
  body,
  bodySha256: sha256(body),
  signature: '0'.repeat(64),
  secretId: branded<SecretId>('test'),
  receivedAt: branded<Instant>(receivedAt),
  requestId: branded<RequestId>('request-1'),
});

/** An event of an order's stream, made of a body and read back as the ledger does it. Throws where the body is no order event. */
export const eventOfBody = (body: Buffer, arrival: Arrival = {}): LedgerEvent => {
  const { kind = 'order', revision = 0, receivedAt = '2024-01-01T00:00:00.000Z' } = arrival;
  const content = readContent(body);
  if (content._tag === 'Unreadable') throw new Error(`no order event: ${JSON.stringify(content.reasons)}`);
  const verified = deliveryOf(body, receivedAt);
  const made =
    kind === 'order' ? orderEvent(verified, content) : conflictEvent(verified, content, factsDigest(content.payload));
  const read = readLedgerEvent(
    recordedEvent(made, {
      revision: branded<Revision>(revision),
      position: positionAt(revision),
      recordedAt: verified.receivedAt,
    }),
  );
  if (E.isLeft(read)) throw new Error(read.left.problem);
  return read.right;
};

const eventOf =
  (flow: Flow) =>
  (status: string, over: Members = {}, arrival: Arrival = {}): LedgerEvent =>
    eventOfBody(Buffer.from(JSON.stringify({ ...SAMPLES[flow], ...over, status })), arrival);

/** An on-ramp event of `order-1`, the sample's but for what is named. */
export const onRampEvent = eventOf('onramp');

/** An off-ramp event of `order-1`, the sample's but for what is named. */
export const offRampEvent = eventOf('offramp');

/** Events as they come to stand in a stream that they arrive at in this order. */
export const inArrivalOrder = (events: readonly LedgerEvent[]): readonly LedgerEvent[] =>
  events.map((event, i) => ({ ...event, recorded: { ...event.recorded, revision: branded<Revision>(i) } }));
