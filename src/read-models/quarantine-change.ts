import { parseMetadata } from '../domain/event-metadata.ts';
import { DELIVERY_QUARANTINED, QUARANTINE_RELEASED } from '../domain/event-type.ts';
import { parseQuarantineData, parseReleaseData } from '../domain/quarantine-data.ts';
import type { EventId, OrderId, StreamName, Utr } from '../domain/ids.ts';
import { keyOf } from '../domain/order-key.ts';
import { readContent } from '../domain/read-content.ts';
import { signedBytes, type RecordedEvent } from '../domain/recorded-event.ts';
import type { Quarantined } from './read-models.ts';

/** What an event of a quarantine stream says: a body went into it, or was released from it as an order event. */
export type QuarantineChange =
  | {
      readonly _tag: 'Quarantined';
      readonly quarantined: Quarantined;
      /** What it is searched by beside its ids: the order and the reference that its body names by today's rules. */
      readonly searchedBy: { readonly orderId: OrderId | null; readonly utr: Utr | null };
    }
  | { readonly _tag: 'Released'; readonly stream: StreamName; readonly as: EventId; readonly orderId: OrderId };

const quarantined = (event: RecordedEvent): QuarantineChange | null => {
  const metadata = parseMetadata(event.metadata);
  const data = parseQuarantineData(event.data);
  if (metadata === null || data === null) return null;
  const { id: eventId, position, stream } = event;
  const { receivedAt, secretId, bodySha256 } = metadata;
  const content = readContent(signedBytes(event));
  const key = content._tag === 'OrderEvent' ? keyOf(content.payload) : null;
  return {
    _tag: 'Quarantined',
    quarantined: { eventId, position, stream, receivedAt, secretId, bodySha256, ...data, releasedAs: null },
    searchedBy: { orderId: data.orderId ?? key?.orderId ?? null, utr: key?.utr ?? null },
  };
};

/** Reads an event of a quarantine stream; null for one that is damaged or unknown, which `verify` names. */
export const quarantineChange = (event: RecordedEvent): QuarantineChange | null => {
  if (event.type === DELIVERY_QUARANTINED) return quarantined(event);
  const data = event.type === QUARANTINE_RELEASED ? parseReleaseData(event.data) : null;
  return data === null ? null : { _tag: 'Released', stream: event.stream, as: data.eventId, orderId: data.orderId };
};
