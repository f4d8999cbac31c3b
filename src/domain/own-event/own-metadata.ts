import * as t from 'io-ts';
import { guardedText } from '../guarded.ts';
import { RequestIdText, Sha256Text, type EventId, type RequestId, type Sha256, type StreamName } from '../ids.ts';
import { InstantText, type Instant } from '../instant.ts';
import { sha256 } from '../sha256.ts';

/** Who had the ledger note something, when, and by which request. */
export type Author = {
  /** The id of the API key, or `command-line`. */
  readonly by: string;
  readonly at: Instant;
  readonly requestId: RequestId;
};

/** The author of what somebody does at the command line, who needs no key. */
export const AT_COMMAND_LINE = 'command-line';

/** Metadata of an event that no provider signed (docs/spec/domain.md, Own events). */
export type OwnMetadata = {
  readonly schemaVersion: 1;
  readonly receivedAt: Instant;
  readonly by: string;
  readonly requestId: RequestId;
  readonly recordSha256: Sha256;
  /** What the event is about: the rest of its stream's name. */
  readonly $correlationId: string;
};

const Metadata: { readonly is: t.Is<OwnMetadata> } = t.type({
  schemaVersion: t.literal(1),
  receivedAt: InstantText,
  by: guardedText('author', (text): text is string => text !== ''),
  requestId: RequestIdText,
  recordSha256: Sha256Text,
  $correlationId: t.string,
});

/** Reads stored metadata of an event of the ledger itself; null where it is none. */
export const parseOwnMetadata = (text: string): OwnMetadata | null => {
  try {
    const metadata: unknown = JSON.parse(text);
    return Metadata.is(metadata) ? metadata : null;
  } catch {
    return null;
  }
};

/** The stored form, its members always in this order. */
export const ownMetadataText = (m: OwnMetadata): string =>
  JSON.stringify({
    schemaVersion: m.schemaVersion,
    receivedAt: m.receivedAt,
    by: m.by,
    requestId: m.requestId,
    recordSha256: m.recordSha256,
    $correlationId: m.$correlationId,
  });

/** `recordSha256` of an event of the ledger itself: over stream, type, id, data and the other metadata. */
export const ownRecordDigest = (
  { stream, type, id, data }: { stream: StreamName; type: string; id: EventId; data: Uint8Array | string },
  m: Omit<OwnMetadata, 'recordSha256'>,
): Sha256 =>
  sha256(
    JSON.stringify([
      stream,
      type,
      id,
      sha256(data),
      m.schemaVersion,
      m.receivedAt,
      m.by,
      m.requestId,
      m.$correlationId,
    ]),
  );
