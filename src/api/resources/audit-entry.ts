import { parseMetadata } from '../../domain/event-metadata.ts';
import { orderIdOfStream } from '../../domain/ids.ts';
import type { JsonObject } from '../../domain/json.ts';
import { keyOf } from '../../domain/order-key.ts';
import { readContent } from '../../domain/read-content.ts';
import { signedBytes, type RecordedEvent } from '../../domain/recorded-event.ts';
import type { EventVerdict } from '../../ledger/verify-event.ts';

const keyIn = (event: RecordedEvent): JsonObject => {
  const content = readContent(signedBytes(event));
  if (content._tag === 'OrderEvent') return keyOf(content.payload);
  return { orderId: orderIdOfStream(event.stream) ?? content.orderId, status: null, utr: null };
};

/**
 * An audit entry (contract.md, An audit entry) with the verdict on its event. An event that can't be read has one too:
 * what is unknown of it is null.
 */
export const auditEntry = (event: RecordedEvent, verify: (event: RecordedEvent) => EventVerdict): JsonObject => {
  const metadata = parseMetadata(event.metadata);
  const { orderId = null, status = null, utr = null } = keyIn(event);
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
    requestId: metadata?.requestId ?? null,
    verified: verify(event).verified,
  };
};
