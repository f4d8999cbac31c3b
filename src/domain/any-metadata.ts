import { parseMetadata, writtenRecordDigest } from './event-metadata.ts';
import type { RequestId, SecretId, Sha256 } from './ids.ts';
import type { Instant } from './instant.ts';
import { parseOwnMetadata } from './own-event/own-metadata.ts';

/** What the metadata of every event tells; what a signature alone gives is null where there is none. */
export type AnyMetadata = {
  readonly receivedAt: Instant;
  readonly requestId: RequestId;
  readonly recordSha256: Sha256;
  readonly secretId: SecretId | null;
  readonly bodySha256: Sha256 | null;
};

/** Reads stored metadata, of a delivery or of an event of the ledger itself; null where it is neither. */
export const parseAnyMetadata = (text: string): AnyMetadata | null => {
  const signed = parseMetadata(text);
  if (signed !== null) return signed;
  const own = parseOwnMetadata(text);
  return own === null ? null : { ...own, secretId: null, bodySha256: null };
};

/** The record's digest in stored metadata; null where that is damaged. A tree of millions of events needs nothing else of it. */
export const recordDigestIn = (text: string): Sha256 | null =>
  writtenRecordDigest(text) ?? parseAnyMetadata(text)?.recordSha256 ?? null;
