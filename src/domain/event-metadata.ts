import * as t from 'io-ts';
import { branded } from './brand.ts';
import { DigestPlaces } from './digest-places.ts';
import { RequestIdText, SecretIdText, Sha256Text, type RequestId, type SecretId, type Sha256 } from './ids.ts';
import { InstantText, isInstant, type Instant } from './instant.ts';
import { shortDigestWithin } from './short-digest.ts';
import { receivedAtPlace, writtenPlaces } from './written-metadata.ts';

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

const HEX = 64;

/** Reads the text that `metadataText` writes, much faster than a JSON parser and a codec do; null for any other text. */
const parseWritten = (text: string): EventMetadata | null => {
  const at = writtenPlaces(text);
  const receivedAt = at === null ? '' : text.slice(at.receivedAt, at.receivedEnd);
  if (at === null || !isInstant(receivedAt)) return null;
  return {
    schemaVersion: 1,
    receivedAt,
    signature: text.slice(at.signature, at.signature + HEX),
    secretId: branded<SecretId>(text.slice(at.secretId, at.secretEnd)),
    bodySha256: branded<Sha256>(text.slice(at.body, at.body + HEX)),
    recordSha256: branded<Sha256>(text.slice(at.record, at.record + HEX)),
    requestId: branded<RequestId>(text.slice(at.request, at.requestEnd)),
    $correlationId: text.slice(at.correlation, at.correlationEnd),
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
  const at = writtenPlaces(text);
  const receivedAt = at === null ? '' : text.slice(at.receivedAt, at.receivedEnd);
  if (at === null || !isInstant(receivedAt)) return null;
  searched.add(text, at.record);
  return {
    receivedAt,
    bodyTerm: shortDigestWithin(text, at.body, at.body + HEX),
    requestTerm: shortDigestWithin(text, at.request, at.requestEnd),
  };
};

/**
 * When the delivery of an event was received, from its stored metadata; null where the metadata is damaged there.
 * Projections need nothing else of the metadata. Damage to the other members is found by whoever reads them, and by
 * `verify`.
 */
export const receivedAtIn = (text: string): Instant | null => {
  const place = receivedAtPlace(text);
  const receivedAt = place === null ? '' : text.slice(place.at, place.end);
  return isInstant(receivedAt) ? receivedAt : (parseMetadata(text)?.receivedAt ?? null);
};

const recordIn = (text: string): number | null => {
  const at = writtenPlaces(text);
  return at !== null && isInstant(text.slice(at.receivedAt, at.receivedEnd)) ? at.record : null;
};

/** The record's digest in metadata of a delivery; null where it is not as `metadataText` writes it. */
export const writtenRecordDigest = (text: string): Sha256 | null => {
  const recordAt = searched.take(text) ?? recordIn(text);
  return recordAt === null ? null : branded<Sha256>(text.slice(recordAt, recordAt + HEX));
};

const MEMBERS = 8;

/** The values of a list by their names; anything else as it is. */
const named = (value: unknown): unknown => {
  if (!t.UnknownArray.is(value) || value.length !== MEMBERS) return value;
  const [schemaVersion, receivedAt, signature, secretId, bodySha256, recordSha256, requestId, $correlationId] = value;
  return { schemaVersion, receivedAt, signature, secretId, bodySha256, recordSha256, requestId, $correlationId };
};

/** Reads stored metadata, listed or with names as earlier versions wrote it; null where it is not what the ledger writes. */
export const parseMetadata = (text: string): EventMetadata | null => {
  const written = parseWritten(text);
  if (written !== null) return written;
  try {
    const metadata = named(JSON.parse(text));
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

/** The stored form: the values in the order of the type. Every part but the two escaped ones is plain ASCII without quotes. */
export const metadataText = (m: EventMetadata): string =>
  `[1,"${m.receivedAt}","${m.signature}",${secretIdText(m.secretId)},"${m.bodySha256}","${m.recordSha256}",` +
  `"${m.requestId}",${JSON.stringify(m.$correlationId)}]`;

/**
 * The members of a text of a delivery's metadata, for a store that shows them to people; null for any other text, so that
 * the same text comes of them again.
 */
export const metadataMembers = (text: string): EventMetadata | null => {
  const metadata = parseMetadata(text);
  return metadata !== null && metadataText(metadata) === text ? metadata : null;
};

/** The text of such members; null where they are no delivery's. */
export const textOfMembers = (members: Readonly<Record<string, unknown>>): string | null =>
  Metadata.is(members) && Object.keys(members).length === MEMBERS ? metadataText(members) : null;

/**
 * A text of a delivery's metadata in the stored form of now, where an earlier version wrote it, with the names of its members;
 * any other text as it is. A store on another machine keeps the names of all, and gives all in the form of now.
 */
export const listedMetadata = (text: string): string => {
  if (!text.startsWith('{')) return text;
  try {
    const members: unknown = JSON.parse(text);
    const isAsWritten = t.UnknownRecord.is(members) && JSON.stringify(members) === text;
    return isAsWritten ? (textOfMembers(members) ?? text) : text;
  } catch {
    return text;
  }
};
