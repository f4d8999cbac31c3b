import type { EventMetadata } from './event-metadata.ts';
import type { EventId, Sha256, StreamName } from './ids.ts';
import { sha256 } from './sha256.ts';

/**
 * `recordSha256`: a digest over stream, type, id, data and the other metadata (docs/spec/domain.md, Event). Data enters
 * by its own SHA-256, which for most events is the body's and computed already; the raw body enters by `bodySha256`.
 */
export const recordDigest = (
  stream: StreamName,
  type: string,
  id: EventId,
  dataSha256: Sha256,
  metadata: Omit<EventMetadata, 'recordSha256'>,
  keepsRawBody: boolean,
): Sha256 =>
  sha256(
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
    ]),
  );
