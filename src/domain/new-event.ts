import { sha256 } from './sha256.ts';
import type { OrderContent, VerifiedDelivery } from './delivery.ts';
import { conflictEventId, quarantineEventId, releaseEventId } from './event-id.ts';
import { metadataText, type EventMetadata } from './event-metadata.ts';
import {
  CONFLICTING_DELIVERY,
  DELIVERY_QUARANTINED,
  orderEventType,
  QUARANTINE_RELEASED,
  type EventType,
} from './event-type.ts';
import {
  orderStream,
  quarantineStream,
  type EventId,
  type OrderId,
  type RequestId,
  type Sha256,
  type StreamName,
} from './ids.ts';
import type { Instant } from './instant.ts';
import { keyOf } from './order-key.ts';
import { quarantineDataBytes, releaseDataBytes, type ReleaseData } from './quarantine-data.ts';
import type { Reason } from './reason.ts';
import { recordDigest } from './record-digest.ts';
import type { NewEvent } from './recorded-event.ts';

/** An event and the stream that it belongs to. */
export type EventForStream = { readonly stream: StreamName; readonly event: NewEvent };

/**
 * How many bytes of data and raw body, the latter as base64, fit into one event of every store. The limit of a store is
 * 1 MiB for data, metadata and twice the type (docs/event-store-facts.md, Seen); the rest is left for metadata.
 */
const LARGEST = 1_048_576 - 8_192;

/** Whether an event whose data are all that is kept of it fits into every store, so that a ledger can move to any. */
export const fitsEveryStore = ({ data }: Pick<NewEvent, 'data'>): boolean => data.length <= LARGEST;

const NO_DATA = Buffer.from('null');

const base64Length = (bytes: number): number => Math.ceil(bytes / 3) * 4;

/**
 * How a body is stored (docs/spec/domain.md, Event): the payload as data, with the digits of its numbers as they came, and
 * beside it the raw body where the data alone would not give the signed bytes back.
 */
const stored = ({ body }: VerifiedDelivery, { payload, plain }: OrderContent): Pick<NewEvent, 'data' | 'rawBody'> => {
  if (plain) return { data: body, rawBody: null };
  const data = Buffer.from(JSON.stringify(payload));
  // Where both forms would not fit, the raw body alone is kept (docs/spec/configuration.md, Sizes).
  return { data: data.length + base64Length(body.length) > LARGEST ? NO_DATA : data, rawBody: body };
};

const assemble = (
  verified: VerifiedDelivery,
  stream: StreamName,
  type: EventType,
  id: EventId,
  correlationId: string,
  { data, rawBody }: Pick<NewEvent, 'data' | 'rawBody'>,
): EventForStream => {
  const metadata: Omit<EventMetadata, 'recordSha256'> = {
    schemaVersion: 1,
    receivedAt: verified.receivedAt,
    signature: verified.signature,
    secretId: verified.secretId,
    bodySha256: verified.bodySha256,
    requestId: verified.requestId,
    $correlationId: correlationId,
  };
  const dataSha256 = data === verified.body ? verified.bodySha256 : sha256(data);
  const recordSha256 = recordDigest(stream, type, id, dataSha256, metadata, rawBody !== null);
  return {
    stream,
    event: { id, type, data, metadata: Buffer.from(metadataText({ ...metadata, recordSha256 })), rawBody },
  };
};

/** The order event of a delivery whose key is new. */
export const orderEvent = (verified: VerifiedDelivery, content: OrderContent): EventForStream => {
  const { orderId, status, eventType } = content.payload;
  const type = orderEventType(eventType, status);
  return assemble(verified, orderStream(orderId), type, content.eventId, orderId, stored(verified, content));
};

/** The `ConflictingDelivery` of a delivery whose key is there with other facts. */
export const conflictEvent = (verified: VerifiedDelivery, content: OrderContent, facts: Sha256): EventForStream => {
  const { orderId, status, utr } = keyOf(content.payload);
  const id = conflictEventId(orderId, status, utr, facts, verified.signature);
  return assemble(verified, orderStream(orderId), CONFLICTING_DELIVERY, id, orderId, stored(verified, content));
};

/** The `DeliveryQuarantined` of a body that is no order event; its exact bytes are always kept beside the reasons. */
export const quarantineEvent = (
  verified: VerifiedDelivery,
  reasons: readonly Reason[],
  orderId: OrderId | null,
): EventForStream => {
  const { bodySha256, body } = verified;
  const data = quarantineDataBytes({ reasons, orderId });
  const stream = quarantineStream(bodySha256);
  const id = quarantineEventId(bodySha256);
  return assemble(verified, stream, DELIVERY_QUARANTINED, id, orderId ?? bodySha256, { data, rawBody: body });
};

/**
 * The `QuarantineReleased` of a quarantined delivery: it proves itself by the signed bytes of the delivery, and says
 * when and by which request they went to their order (docs/spec/domain.md, Release).
 */
export const releaseEvent = (
  verified: VerifiedDelivery,
  { releasedAt, requestId }: { readonly releasedAt: Instant; readonly requestId: RequestId },
  release: ReleaseData,
): EventForStream => {
  const { bodySha256, body } = verified;
  const data = releaseDataBytes(release);
  const stream = quarantineStream(bodySha256);
  const id = releaseEventId(bodySha256);
  const asReleased = { ...verified, receivedAt: releasedAt, requestId };
  return assemble(asReleased, stream, QUARANTINE_RELEASED, id, release.orderId, { data, rawBody: body });
};
