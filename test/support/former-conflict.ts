import type { OrderDelivery } from '../../src/domain/delivery.ts';
import { conflictName } from '../../src/domain/event-id.ts';
import { metadataText, parseMetadata } from '../../src/domain/event-metadata.ts';
import { factsDigest } from '../../src/domain/facts-digest.ts';
import { branded } from '../../src/domain/brand.ts';
import type { EventId } from '../../src/domain/ids.ts';
import { conflictEvent, type EventForStream } from '../../src/domain/new-event.ts';
import { keyOf } from '../../src/domain/order-key.ts';
import { recordDigest } from '../../src/domain/record-digest.ts';
import { sha256 } from '../../src/domain/sha256.ts';

/** A `ConflictingDelivery` as ledgers before 2026-11-26 wrote it: its id is the name of its facts. */
export const formerConflict = (
  { verified, content }: OrderDelivery,
  facts = factsDigest(content.payload),
): EventForStream => {
  const { stream, event } = conflictEvent(verified, content, facts);
  const { orderId, status, utr } = keyOf(content.payload);
  const id = branded<EventId>(conflictName(orderId, status, utr, facts));
  const { type, data, rawBody } = event;
  const { recordSha256: _of, ...metadata } = parseMetadata(event.metadata.toString()) ?? fail();
  const recordSha256 = recordDigest(stream, type, id, sha256(data), metadata, rawBody !== null);
  return { stream, event: { ...event, id, metadata: Buffer.from(metadataText({ ...metadata, recordSha256 })) } };
};

const fail = (): never => {
  throw new Error('the ledger reads what it wrote');
};
