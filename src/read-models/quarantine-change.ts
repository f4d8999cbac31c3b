import * as E from 'fp-ts/lib/Either.js';
import { parseMetadata } from '../domain/event-metadata.ts';
import { DELIVERY_QUARANTINED, QUARANTINE_RELEASED } from '../domain/event-type.ts';
import { parseQuarantineData, parseReleaseData } from '../domain/quarantine-data.ts';
import {
  isClosureStream,
  isQuarantineStream,
  quarantineStream,
  type EventId,
  type OrderId,
  type StreamName,
  type Utr,
} from '../domain/ids.ts';
import { keyOf } from '../domain/order-key.ts';
import { readOwnEvent } from '../domain/own-event/own-event.ts';
import { readContent } from '../domain/read-content.ts';
import { signedBytes, type RecordedEvent } from '../domain/recorded-event.ts';
import type { Closing, Quarantined } from './read-models.ts';

/** What an event says of the quarantine: a body went into it, was released from it as an order event, was closed or opened again. */
export type QuarantineChange =
  | {
      readonly _tag: 'Quarantined';
      readonly quarantined: Quarantined;
      /** What it is searched by beside its ids: the order and the reference that its body names by today's rules. */
      readonly searchedBy: { readonly orderId: OrderId | null; readonly utr: Utr | null };
    }
  | { readonly _tag: 'Released'; readonly stream: StreamName; readonly as: EventId; readonly orderId: OrderId }
  | { readonly _tag: 'Closed'; readonly stream: StreamName; readonly closing: Closing }
  | { readonly _tag: 'Reopened'; readonly stream: StreamName };

/** Whether a stream holds such events. */
export const isOfQuarantine = (stream: StreamName): boolean => isQuarantineStream(stream) || isClosureStream(stream);

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
    quarantined: {
      eventId,
      position,
      stream,
      receivedAt,
      secretId,
      bodySha256,
      ...data,
      releasedAs: null,
      closed: null,
    },
    searchedBy: { orderId: data.orderId ?? key?.orderId ?? null, utr: key?.utr ?? null },
  };
};

const ownChange = (event: RecordedEvent): QuarantineChange | null => {
  const read = readOwnEvent(event);
  if (E.isLeft(read)) return null;
  const own = read.right;
  if (own._tag === 'QuarantineReopened') {
    return { _tag: 'Reopened', stream: quarantineStream(own.data.bodySha256) };
  }
  if (own._tag !== 'QuarantineClosed') return null;
  const { by, receivedAt: at } = own.metadata;
  const closing = { eventId: event.id, at, by, note: own.data.note };
  return { _tag: 'Closed', stream: quarantineStream(own.data.bodySha256), closing };
};

/** Reads an event of such a stream; null for one that is damaged or unknown, which `verify` names. */
export const quarantineChange = (event: RecordedEvent): QuarantineChange | null => {
  if (event.type === DELIVERY_QUARANTINED) return quarantined(event);
  if (isClosureStream(event.stream)) return ownChange(event);
  const data = event.type === QUARANTINE_RELEASED ? parseReleaseData(event.data) : null;
  return data === null ? null : { _tag: 'Released', stream: event.stream, as: data.eventId, orderId: data.orderId };
};
