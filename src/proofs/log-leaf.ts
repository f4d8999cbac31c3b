import { parseAnyMetadata } from '../domain/any-metadata.ts';
import type { EventHeader } from '../domain/recorded-event.ts';
import { leafHash, type Hash } from './merkle-tree.ts';

/**
 * The leaf of an event (docs/spec/http.md, Proofs): what names it and the digest of all that it holds, and none of its
 * data. Everything in it survives a migration. An event whose metadata is damaged has no digest.
 */
export const leafText = ({ id, metadata, revision, stream, type }: EventHeader): string => {
  const recordSha256 = parseAnyMetadata(metadata)?.recordSha256 ?? null;
  return JSON.stringify({ eventId: id, recordSha256, revision, stream, type });
};

/** The hash of an event's leaf. */
export const eventLeafHash = (event: EventHeader): Hash => leafHash(Buffer.from(leafText(event)));
