import type { EventMetadata } from './event-metadata.ts';
import type { EventId, Sha256, StreamName } from './ids.ts';
import { sha256 } from './sha256.ts';

/**
 * The text that `recordSha256` is the digest of. Data enters by its own SHA-256, which for most events is the body's and
 * computed already; the raw body enters by `bodySha256`.
 */
export const recordText = (
  stream: StreamName,
  type: string,
  id: EventId,
  dataSha256: Sha256,
  metadata: Omit<EventMetadata, 'recordSha256'>,
  keepsRawBody: boolean,
): string =>
  JSON.stringify([
    stream,
    type,
    id,
    dataSha256,
    metadata.schemaVersion,
    metadata.receivedAt,
    metadata.signature,
    metadata.secretId,
    metadata.bodySha256,
    metadata.requestId,
    metadata.$correlationId,
    keepsRawBody,
  ]);

/** `recordSha256`: a digest over stream, type, id, data and the other metadata (docs/spec/domain.md, Event). */
export const recordDigest = (...record: Parameters<typeof recordText>): Sha256 => sha256(recordText(...record));
