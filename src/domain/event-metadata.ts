import * as t from 'io-ts';
import { isRequestId, isSha256, type RequestId, type SecretId, type Sha256 } from './ids.ts';
import { parseInstant, type Instant } from './instant.ts';

/** Metadata of an event (design.md, Event). The raw body travels beside it. */
export type EventMetadata = {
  readonly schemaVersion: 1;
  readonly receivedAt: Instant;
  /** The header's value as it came: 64 hex digits in any letter case. */
  readonly signature: string;
  readonly secretId: SecretId;
  readonly bodySha256: Sha256;
  readonly recordSha256: Sha256;
  readonly requestId: RequestId;
  /** The order id; for a body that names none, the body's digest. */
  readonly $correlationId: string;
};

const guarded = <A extends string>(name: string, is: (text: string) => text is A): t.Type<A> => {
  const guard = (u: unknown): u is A => typeof u === 'string' && is(u);
  return new t.Type<A>(name, guard, (u, c) => (guard(u) ? t.success(u) : t.failure(u, c)), t.identity);
};

const Sha256Text = guarded('sha-256', isSha256);
const InstantText = guarded('instant', (text): text is Instant => parseInstant(text) === text);

const Metadata: { readonly is: t.Is<EventMetadata> } = t.type({
  schemaVersion: t.literal(1),
  receivedAt: InstantText,
  signature: t.string,
  secretId: guarded('secret id', (text): text is SecretId => text !== ''),
  bodySha256: Sha256Text,
  recordSha256: Sha256Text,
  requestId: guarded('request id', (text): text is RequestId => isRequestId(text)),
  $correlationId: t.string,
});

/** Reads stored metadata; null where it is not what the ledger writes. */
export const parseMetadata = (bytes: Buffer): EventMetadata | null => {
  try {
    const metadata: unknown = JSON.parse(bytes.toString('utf8'));
    return Metadata.is(metadata) ? metadata : null;
  } catch {
    return null;
  }
};

const secretIdTexts = new Map<SecretId, string>();

/** A secret id as JSON; there are a handful of them and every delivery names one. */
const secretIdText = (id: SecretId): string => {
  const known = secretIdTexts.get(id);
  if (known !== undefined) return known;
  const text = JSON.stringify(id);
  secretIdTexts.set(id, text);
  return text;
};

/** The stored form, its members always in this order. Every part but the two escaped ones is plain ASCII without quotes. */
export const metadataText = (m: EventMetadata): string =>
  `{"schemaVersion":1,"receivedAt":"${m.receivedAt}","signature":"${m.signature}","secretId":${secretIdText(m.secretId)},` +
  `"bodySha256":"${m.bodySha256}","recordSha256":"${m.recordSha256}","requestId":"${m.requestId}",` +
  `"$correlationId":${JSON.stringify(m.$correlationId)}}`;
