import * as t from 'io-ts';
import { branded } from './brand.ts';
import { DigestPlaces } from './digest-places.ts';
import { RequestIdText, SecretIdText, Sha256Text, type RequestId, type SecretId, type Sha256 } from './ids.ts';
import { InstantText, isInstant, type Instant } from './instant.ts';
import { shortDigestWithin } from './short-digest.ts';

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

/** Where the parts stand in a text that `metadataText` has written; those before the secret id always stand at one place. */
type Places = {
  readonly bodyAt: number;
  readonly recordAt: number;
  readonly requestAt: number;
  readonly requestEnd: number;
};

/** The class of each byte: 1 where it is a lower-case hex digit, 2 added where it may stand in a request id. */
const CLASSES = Uint8Array.from({ length: 256 }, (_, code) => {
  const letter = String.fromCharCode(code);
  return (/[0-9a-f]/.test(letter) ? 1 : 0) + (/[\w.:-]/.test(letter) ? 2 : 0);
});

/** The text that is looked at, as bytes: millions are, and letters of a text take four times as long. */
const BYTES = Buffer.alloc(1_024);
const encoder = new TextEncoder();

/** Whether all of a text is ASCII and short: then each letter is the byte at its place. */
const areBytes = (text: string): boolean =>
  text.length <= BYTES.length && encoder.encodeInto(text, BYTES).written === text.length;

/** Whether a part of the bytes consists of letters of a class. */
const isOf = (letters: 1 | 2, from: number, until: number): boolean => {
  let both: number = letters;
  for (let at = from; at < until; at += 1) both &= CLASSES[BYTES[at] ?? 0] ?? 0;
  return both === letters;
};

const SHORTEST_REQUEST = 8;
const LONGEST_REQUEST = 128;

/** Null where a part is escaped, is not ASCII or is not what it should be, and for any other text. */
const placesOf = (text: string): Places | null => {
  if (!text.startsWith(START) || !text.startsWith(SIGNATURE, AFTER_INSTANT) || text.includes('\\')) return null;
  const secretAt = AFTER_SIGNATURE + SECRET_ID.length;
  const secretEnd = text.indexOf('"', secretAt);
  const bodyAt = secretEnd + BODY.length;
  const recordAt = bodyAt + HEX + RECORD.length;
  const requestAt = recordAt + HEX + REQUEST.length;
  const requestEnd = text.indexOf('"', requestAt);
  const correlationAt = requestEnd + CORRELATION.length;
  const length = requestEnd - requestAt;
  const isWhole =
    text.startsWith(SECRET_ID, AFTER_SIGNATURE) &&
    secretEnd > secretAt &&
    text.startsWith(BODY, secretEnd) &&
    text.startsWith(RECORD, bodyAt + HEX) &&
    text.startsWith(REQUEST, recordAt + HEX) &&
    text.startsWith(CORRELATION, requestEnd) &&
    text.indexOf('"', correlationAt) === text.length - END.length &&
    text.endsWith(END) &&
    length >= SHORTEST_REQUEST &&
    length <= LONGEST_REQUEST &&
    areBytes(text.slice(0, requestEnd)) &&
    isOf(1, bodyAt, bodyAt + HEX) &&
    isOf(1, recordAt, recordAt + HEX) &&
    isOf(2, requestAt, requestEnd);
  return isWhole ? { bodyAt, recordAt, requestAt, requestEnd } : null;
};

let last: { readonly text: string; readonly places: Places | null } = { text: '', places: null };

/** As `placesOf`; what was looked at last, by whoever, is not gone through again. */
const placesIn = (text: string): Places | null => {
  if (text !== last.text) last = { text, places: placesOf(text) };
  return last.places;
};

/** Reads the text that `metadataText` writes, much faster than a JSON parser and a codec do; null for any other text. */
const parseWritten = (text: string): EventMetadata | null => {
  const places = placesIn(text);
  const receivedAt = text.slice(RECEIVED_AT, AFTER_INSTANT);
  if (places === null || !isInstant(receivedAt)) return null;
  const { bodyAt, recordAt, requestAt, requestEnd } = places;
  return {
    schemaVersion: 1,
    receivedAt,
    signature: text.slice(AFTER_SIGNATURE - HEX, AFTER_SIGNATURE),
    secretId: branded<SecretId>(text.slice(AFTER_SIGNATURE + SECRET_ID.length, bodyAt - BODY.length)),
    bodySha256: branded<Sha256>(text.slice(bodyAt, bodyAt + HEX)),
    recordSha256: branded<Sha256>(text.slice(recordAt, recordAt + HEX)),
    requestId: branded<RequestId>(text.slice(requestAt, requestEnd)),
    $correlationId: text.slice(requestEnd + CORRELATION.length, text.length - END.length),
  };
};

/** Those that were searched, for whoever needs their digests behind that. */
const searched = new DigestPlaces();

/** What the trail is searched by, of the metadata of a delivery. Terms are short digests. */
export type SearchedMetadata = {
  readonly receivedAt: Instant;
  /** Of the body's digest. */
  readonly bodyTerm: number;
  /** Of the request id. */
  readonly requestTerm: number;
};

/**
 * What the trail is searched by, of stored metadata of a delivery. Null where it is not as `metadataText` writes it: then
 * it has to be read in a slower way.
 */
export const searchedMetadata = (text: string): SearchedMetadata | null => {
  const places = placesIn(text);
  const receivedAt = text.slice(RECEIVED_AT, AFTER_INSTANT);
  if (places === null || !isInstant(receivedAt)) return null;
  const { bodyAt, recordAt, requestAt, requestEnd } = places;
  searched.add(text, recordAt);
  return {
    receivedAt,
    bodyTerm: shortDigestWithin(text, bodyAt, bodyAt + HEX),
    requestTerm: shortDigestWithin(text, requestAt, requestEnd),
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

const recordIn = (text: string): number | null => {
  const places = placesIn(text);
  return places !== null && isInstant(text.slice(RECEIVED_AT, AFTER_INSTANT)) ? places.recordAt : null;
};

/** The record's digest in metadata of a delivery; null where it is not as `metadataText` writes it. */
export const writtenRecordDigest = (text: string): Sha256 | null => {
  const recordAt = searched.take(text) ?? recordIn(text);
  return recordAt === null ? null : branded<Sha256>(text.slice(recordAt, recordAt + HEX));
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
