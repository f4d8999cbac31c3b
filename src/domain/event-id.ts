import { hash } from 'node:crypto';
import { branded } from './brand.ts';
import type { OwnEventType } from './event-type.ts';
import type { ConflictName, EventId, OrderId, Sha256, StreamName, Utr } from './ids.ts';
import { lowerAscii } from './letter-case.ts';

/** The ledger's UUIDv5 namespace. It never changes: every event id of every ledger hangs on it. */
const NAMESPACE = Buffer.from('8f0c2f0e6c1d4a57b1a3d29c7e5b4f60', 'hex').toString('latin1');

/** That of the ledger's own events, which never changes either: none of them shares an id with an order's. */
const OWN_NAMESPACE = Buffer.from('2d9b6c1f4e7a5b08a6f3c0d1928e7b34', 'hex').toString('latin1');

const VARIANT = ['8', '9', 'a', 'b'];

/**
 * UUIDv5 (RFC 9562) of a name in ASCII. Names here are JSON texts with everything beyond ASCII escaped, so latin1
 * and UTF-8 bytes are the same, which lets namespace and name be digested in one shot.
 */
const uuidV5 = (asciiName: string, namespace = NAMESPACE): string => {
  const hex = hash('sha1', Buffer.from(namespace + asciiName, 'latin1'), 'hex');
  const variant = VARIANT[Number.parseInt(hex.charAt(16), 16) & 3] ?? '8';
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

const escapeCodeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * A JSON array of strings, in ASCII. JSON quotes and escapes each part, so no two lists of parts have one encoding:
 * ("ab","c") and ("a","bc") differ, and so do lone surrogates, which UTF-8 would fold into one.
 */
const encode = (...parts: readonly string[]): string =>
  JSON.stringify(parts).replace(/[\u0080-\uffff]/g, escapeCodeUnit);

const idOver = (...parts: readonly string[]): EventId => branded<EventId>(uuidV5(encode(...parts)));

/**
 * Id of the order event of the idempotency key (orderId, status, utr); an absent utr is null (docs/spec/domain.md,
 * Identity).
 */
export const orderEventId = (orderId: OrderId, status: string, utr: Utr | null): EventId =>
  idOver(orderId, status, utr ?? '');

/**
 * Name of other facts under a key: over key and facts, so that the same other facts are kept once (docs/spec/domain.md,
 * Decision). Until 2026-11-26 it was the id of their event too. It never leaves the ledger: whoever knows all of the
 * facts but what is masked could try values against it.
 */
export const conflictName = (orderId: OrderId, status: string, utr: Utr | null, facts: Sha256): ConflictName =>
  branded<ConflictName>(uuidV5(encode(orderId, status, utr ?? '', facts)));

/**
 * Id of a `ConflictingDelivery`: over key, facts and the signature of the delivery that brought it (docs/spec/domain.md,
 * Decision). Nobody computes that without the secret, so the id confirms no guess of what is masked. Hex digits are the
 * same signature in any letter case.
 */
export const conflictEventId = (
  orderId: OrderId,
  status: string,
  utr: Utr | null,
  facts: Sha256,
  signature: string,
): EventId => idOver(orderId, status, utr ?? '', facts, lowerAscii(signature));

/** Id of a `DeliveryQuarantined`, over the body's digest (docs/spec/domain.md, Decision). */
export const quarantineEventId = (bodySha256: Sha256): EventId => idOver('quarantine', bodySha256);

/** Id of a `QuarantineReleased`, over the body's digest: a body is released once (docs/spec/domain.md, Release). */
export const releaseEventId = (bodySha256: Sha256): EventId => idOver('release', bodySha256);

/** Id of an event of the ledger itself: over its type, its stream, and what tells it from others there. */
export const ownEventId = (type: OwnEventType, stream: StreamName, parts: readonly string[]): EventId =>
  branded<EventId>(uuidV5(encode(type, stream, ...parts), OWN_NAMESPACE));
