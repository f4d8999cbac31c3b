import { parseAnyMetadata } from '../../src/domain/any-metadata.ts';
import { searchedMetadata } from '../../src/domain/event-metadata.ts';
import { isOwnEventType } from '../../src/domain/event-type.ts';
import {
  orderIdOfStream,
  type EventId,
  type OrderId,
  type Position,
  type RequestId,
  type Revision,
  type SecretId,
  type Sha256,
  type StreamName,
  type Utr,
} from '../../src/domain/ids.ts';
import type { Instant } from '../../src/domain/instant.ts';
import { keyOf } from '../../src/domain/order-key.ts';
import { readContent } from '../../src/domain/read-content.ts';
import { signedBytes, type EventHeader, type RecordedEvent } from '../../src/domain/recorded-event.ts';
import { shortDigest } from '../../src/domain/short-digest.ts';

/**
 * One line of the trail (docs/spec/http.md, An audit entry), but for the verdict. What a damaged event does not tell is
 * null, and what only a delivery has is null in an event of the ledger itself.
 */
export type AuditEntry = {
  readonly position: Position;
  readonly stream: StreamName;
  readonly revision: Revision;
  readonly eventId: EventId;
  readonly type: string;
  readonly orderId: OrderId | null;
  readonly status: string | null;
  readonly utr: Utr | null;
  readonly receivedAt: Instant | null;
  readonly recordedAt: Instant;
  readonly secretId: SecretId | null;
  readonly bodySha256: Sha256 | null;
  readonly recordSha256: Sha256 | null;
  readonly requestId: RequestId | null;
};

const keyIn = (event: RecordedEvent): Pick<AuditEntry, 'orderId' | 'status' | 'utr'> => {
  if (isOwnEventType(event.type)) return { orderId: null, status: null, utr: null };
  const content = readContent(signedBytes(event));
  if (content._tag === 'OrderEvent') return keyOf(content.payload);
  return { orderId: orderIdOfStream(event.stream) ?? content.orderId, status: null, utr: null };
};

/** The entry of an event, whatever state it is in. */
export const auditEntry = (event: RecordedEvent): AuditEntry => {
  const metadata = parseAnyMetadata(event.metadata);
  const { orderId, status, utr } = keyIn(event);
  return {
    position: event.position,
    stream: event.stream,
    revision: event.revision,
    eventId: event.id,
    type: event.type,
    orderId,
    status,
    utr,
    receivedAt: metadata?.receivedAt ?? null,
    recordedAt: event.recordedAt,
    secretId: metadata?.secretId ?? null,
    bodySha256: metadata?.bodySha256 ?? null,
    recordSha256: metadata?.recordSha256 ?? null,
    requestId: metadata?.requestId ?? null,
  };
};

/** What the trail can be searched by, of one event, without reading its body. */
export type AuditMark = {
  readonly position: Position;
  readonly type: string;
  readonly receivedAt: Instant | null;
  /** Short digests of event id, body digest and request id, each once. An order's events are found by its stream. */
  readonly terms: readonly number[];
};

/** A caller's request id may be anything, an event's id too: each term stands once. */
const eachOnce = (id: number, body: number | null, request: number): readonly number[] => {
  const terms = body === null || body === id ? [id] : [id, body];
  if (!terms.includes(request)) terms.push(request);
  return terms;
};

/** The mark of an event. */
export const auditMark = ({ id, position, type, metadata: text }: EventHeader): AuditMark => {
  const idTerm = shortDigest(id);
  const searched = searchedMetadata(text);
  if (searched !== null) {
    const { receivedAt, bodyTerm, requestTerm } = searched;
    return { position, type, receivedAt, terms: eachOnce(idTerm, bodyTerm, requestTerm) };
  }
  const metadata = parseAnyMetadata(text);
  if (metadata === null) return { position, type, receivedAt: null, terms: [idTerm] };
  const { receivedAt, bodySha256, requestId } = metadata;
  const bodyTerm = bodySha256 === null ? null : shortDigest(bodySha256);
  return { position, type, receivedAt, terms: eachOnce(idTerm, bodyTerm, shortDigest(requestId)) };
};

/**
 * Whether an entry is one that somebody searches by this text: exactly, and by nothing else than docs/spec/http.md,
 * Audit trail names.
 */
export const isFoundBy = ({ orderId, eventId, utr, bodySha256, requestId }: AuditEntry, text: string): boolean =>
  orderId === text || eventId === text || utr === text || bodySha256 === text || requestId === text;
