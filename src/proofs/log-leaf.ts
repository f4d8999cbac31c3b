import { recordDigestIn } from '../domain/any-metadata.ts';
import type { EventId, Revision, Sha256, StreamName } from '../domain/ids.ts';
import type { EventHeader } from '../domain/recorded-event.ts';
import { leafHash, type Hash } from './merkle-tree.ts';

/** What a leaf says. */
export type LeafContent = {
  readonly eventId: EventId;
  readonly recordSha256: Sha256 | null;
  readonly revision: Revision;
  readonly stream: StreamName;
  readonly type: string;
};

/** ASCII without what JSON escapes. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** A leaf as it is hashed, its members in this order. What JSON does not escape is put together: JSON.stringify takes three times as long. */
export const leafTextOf = ({ eventId, recordSha256, revision, stream, type }: LeafContent): string =>
  recordSha256 !== null && PLAIN.test(eventId) && PLAIN.test(stream) && PLAIN.test(type)
    ? `{"eventId":"${eventId}","recordSha256":"${recordSha256}","revision":${revision},"stream":"${stream}","type":"${type}"}`
    : JSON.stringify({ eventId, recordSha256, revision, stream, type });

/**
 * The leaf of an event (docs/spec/http.md, Proofs): what names it and the digest of all that it holds, and none of its
 * data. Everything in it survives a migration. An event whose metadata is damaged has no digest.
 */
export const leafText = ({ id, metadata, revision, stream, type }: EventHeader): string =>
  leafTextOf({ eventId: id, recordSha256: recordDigestIn(metadata), revision, stream, type });

/** The hash of an event's leaf. */
export const eventLeafHash = (event: EventHeader): Hash => leafHash(leafText(event));
