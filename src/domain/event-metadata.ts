import * as t from 'io-ts';
import { branded } from './brand.ts';
import {
  isRequestId,
  isSha256,
  RequestIdText,
  SecretIdText,
  Sha256Text,
  type RequestId,
  type SecretId,
  type Sha256,
} from './ids.ts';
import { InstantText, isInstant, type Instant } from './instant.ts';

/** Metadata of an event (docs/spec/domain.md, Event). The raw body travels beside it. */
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

const Metadata: { readonly is: t.Is<EventMetadata> } = t.type({
  schemaVersion: t.literal(1),
  receivedAt: InstantText,
  signature: t.string,
  secretId: SecretIdText,
  bodySha256: Sha256Text,
  recordSha256: Sha256Text,
  requestId: RequestIdText,
  $correlationId: t.string,
});

/** Parts of the text that `metadataText` writes. Up to the secret id each of them begins at a fixed offset. */
const START = '{"schemaVersion":1,"receivedAt":"';
const RECEIVED_AT = START.length;
const SIGNATURE = '","signature":"';
const SECRET_ID = '","secretId":"';
const BODY = '","bodySha256":"';
const RECORD = '","recordSha256":"';
const REQUEST = '","requestId":"';
const CORRELATION = '","$correlationId":"';
const END = '"}';
const HEX = 64;
const INSTANT = 24;
const AFTER_INSTANT = RECEIVED_AT + INSTANT;
const AFTER_SIGNATURE = AFTER_INSTANT + SIGNATURE.length + HEX;

/** Reads the text that `metadataText` writes, much faster than a JSON parser and a codec do; null where a part is escaped, and for any other text. */
const parseWritten = (text: string): EventMetadata | null => {
  if (!text.startsWith(START) || !text.startsWith(SIGNATURE, AFTER_INSTANT) || text.includes('\\')) return null;
  const secretAt = AFTER_SIGNATURE + SECRET_ID.length;
  const bodyAt = text.indexOf('"', secretAt) + BODY.length;
  const recordAt = bodyAt + HEX + RECORD.length;
  const requestAt = recordAt + HEX + REQUEST.length;
  const correlationAt = text.indexOf('"', requestAt) + CORRELATION.length;
  const isWhole =
    text.startsWith(SECRET_ID, AFTER_SIGNATURE) &&
    text.startsWith(BODY, bodyAt - BODY.length) &&
    text.startsWith(RECORD, bodyAt + HEX) &&
    text.startsWith(REQUEST, recordAt + HEX) &&
    text.startsWith(CORRELATION, correlationAt - CORRELATION.length) &&
    text.indexOf('"', correlationAt) === text.length - END.length &&
    text.endsWith(END);
  if (!isWhole) return null;
  const receivedAt = text.slice(RECEIVED_AT, AFTER_INSTANT);
  const secretId = text.slice(secretAt, bodyAt - BODY.length);
  const bodySha256 = text.slice(bodyAt, bodyAt + HEX);
  const recordSha256 = text.slice(recordAt, recordAt + HEX);
  const requestId = text.slice(requestAt, correlationAt - CORRELATION.length);
  if (!isInstant(receivedAt) || secretId === '' || !isSha256(bodySha256) || !isSha256(recordSha256)) return null;
  if (!isRequestId(requestId)) return null;
  return {
    schemaVersion: 1,
    receivedAt,
    signature: text.slice(AFTER_SIGNATURE - HEX, AFTER_SIGNATURE),
    secretId: branded<SecretId>(secretId),
    bodySha256,
    recordSha256,
    requestId,
    $correlationId: text.slice(correlationAt, text.length - END.length),
  };
};

/**
 * When the delivery of an event was received, from its stored metadata; null where the metadata is damaged there.
 * Projections need nothing else of the metadata. Damage to the other members is found by whoever reads them, and by
 * `verify`.
 */
export const receivedAtIn = (text: string): Instant | null => {
  const written = text.startsWith(START) && text.startsWith(SIGNATURE, AFTER_INSTANT);
  const receivedAt = written ? text.slice(RECEIVED_AT, AFTER_INSTANT) : '';
  return isInstant(receivedAt) ? receivedAt : (parseMetadata(text)?.receivedAt ?? null);
};

/** Reads stored metadata; null where it is not what the ledger writes. */
export const parseMetadata = (text: string): EventMetadata | null => {
  const written = parseWritten(text);
  if (written !== null) return written;
  try {
    const metadata: unknown = JSON.parse(text);
    return Metadata.is(metadata) ? metadata : null;
  } catch {
    return null;
  }
};

const secretIdTexts = new Map<SecretId, string>();

/** A secret id as JSON text. There are few ids, and each delivery needs one: their texts are kept. */
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
