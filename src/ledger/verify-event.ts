import { timingSafeEqual } from 'node:crypto';
import type { OrderContent, VerifiedDelivery } from '../domain/delivery.ts';
import { quarantineEventId, releaseEventId } from '../domain/event-id.ts';
import { parseMetadata, type EventMetadata } from '../domain/event-metadata.ts';
import {
  CONFLICTING_DELIVERY,
  DELIVERY_QUARANTINED,
  isOwnEventType,
  QUARANTINE_RELEASED,
  typeFits,
  type OwnEventType,
} from '../domain/event-type.ts';
import { hmacSha256 } from '../domain/hmac-sha256.ts';
import { orderStream, quarantineStream, type SecretId } from '../domain/ids.ts';
import { orderEvent } from '../domain/new-event.ts';
import { ownPlace } from '../domain/own-event/own-event.ts';
import { ownRecordDigest, parseOwnMetadata } from '../domain/own-event/own-metadata.ts';
import type { OrderPayload } from '../domain/payload.ts';
import { storedContent } from '../domain/read-content.ts';
import { recordDigest } from '../domain/record-digest.ts';
import { signedBytes, type RecordedEvent } from '../domain/recorded-event.ts';
import { sha256 } from '../domain/sha256.ts';
import { conflictIdsOf } from './conflict-ids.ts';
import { releaseFit } from './release-fit.ts';

/** What is wrong with a stored event. */
export type EventProblem =
  | 'metadata-unreadable'
  | 'signature-mismatch'
  | 'body-digest-mismatch'
  | 'record-digest-mismatch'
  | 'payload-unreadable'
  | 'stream-mismatch'
  | 'event-id-mismatch'
  | 'type-mismatch'
  | 'data-mismatch';

/** What the stored bytes of an event prove (docs/spec/http.md, An audit entry). */
export type EventVerdict = {
  /**
   * `unknown-secret`: all that can be checked without the secret holds. `unsigned`: an event of the ledger itself, which
   * no provider signs, and whose digest holds.
   */
  readonly verified: 'yes' | 'no' | 'unknown-secret' | 'unsigned';
  /** Empty exactly where `verified` is not `no`. */
  readonly problems: readonly EventProblem[];
};

/** The key of a webhook secret by its id, active or retired; null where it is not configured. */
export type SecretKeyById = (id: SecretId) => Buffer | null;

/** Nearly all events have none: these share one list. */
const NONE: readonly EventProblem[] = [];

const found = (...checks: readonly (readonly [EventProblem, boolean])[]): readonly EventProblem[] => {
  let problems = NONE;
  for (const [problem, wrong] of checks) if (wrong) problems = [...problems, problem];
  return problems;
};

/** Buffers for the comparison. Each is filled and read within one call, so all events can share them. */
const sent = Buffer.alloc(64);
const computed = Buffer.alloc(64);

const signatureFits = (key: Buffer, body: Buffer, signature: string): boolean => {
  // What is shorter would be compared with the rest of the one before; what is longer is cut, and written all the same.
  if (signature.length !== sent.length || sent.write(signature.toLowerCase()) !== sent.length) return false;
  computed.write(hmacSha256(key, body), 'latin1');
  return timingSafeEqual(computed, sent);
};

const digestProblems = (event: RecordedEvent, metadata: EventMetadata, body: Buffer): readonly EventProblem[] => {
  const { stream, type, id, data, rawBody } = event;
  const bodySha256 = sha256(body);
  const dataSha256 = rawBody === null ? bodySha256 : sha256(data);
  return found(
    ['body-digest-mismatch', bodySha256 !== metadata.bodySha256],
    [
      'record-digest-mismatch',
      recordDigest(stream, type, id, dataSha256, metadata, rawBody !== null) !== metadata.recordSha256,
    ],
  );
};

/** Data that stands beside a raw body repeats what the body says; it is `null` where both together would have been too large. */
const dataFits = (
  { data, rawBody }: RecordedEvent,
  metadata: EventMetadata,
  body: Buffer,
  content: OrderContent,
): boolean =>
  rawBody === null || data === 'null' || data === orderEvent({ ...metadata, body }, content).event.data.toString();

/** Anybody can compute digests, but not a signature. So stream, id, type and data are held to what the signed bytes say. */
const orderProblems = (event: RecordedEvent, metadata: EventMetadata, body: Buffer, content: OrderContent) => {
  const { orderId, status } = content.payload;
  const isConflict = event.type === CONFLICTING_DELIVERY;
  const eventIds: readonly string[] = isConflict
    ? conflictIdsOf(content.payload, metadata.signature)
    : [content.eventId];
  return found(
    ['stream-mismatch', event.stream !== orderStream(orderId)],
    ['event-id-mismatch', !eventIds.includes(event.id)],
    ['type-mismatch', !isConflict && !typeFits(event.type, content.payload.eventType, status)],
    ['data-mismatch', !dataFits(event, metadata, body, content)],
  );
};

/** The reasons why a body was quarantined depend on the rules of its day, so they are not checked. */
const quarantineProblems = ({ stream, id }: RecordedEvent, body: Buffer): readonly EventProblem[] =>
  found(
    ['stream-mismatch', stream !== quarantineStream(sha256(body))],
    ['event-id-mismatch', id !== quarantineEventId(sha256(body))],
  );

const releaseProblems = ({ stream, id, data }: RecordedEvent, delivery: VerifiedDelivery): readonly EventProblem[] =>
  found(
    ['stream-mismatch', stream !== quarantineStream(sha256(delivery.body))],
    ['event-id-mismatch', id !== releaseEventId(sha256(delivery.body))],
    // What `OfAnother` names is in another stream: `verify` and a repeat of the release look there (`verifyReleases`).
    ['data-mismatch', releaseFit(data, delivery)._tag === 'Unfit'],
  );

/** The verdict on an event, and the payload that was read for it; null where none was read. */
export type EventProof = EventVerdict & { readonly payload: OrderPayload | null };

const contentProblems = (
  event: RecordedEvent,
  metadata: EventMetadata,
  body: Buffer,
): Pick<EventProof, 'problems' | 'payload'> => {
  if (event.type === DELIVERY_QUARANTINED) return { problems: quarantineProblems(event, body), payload: null };
  if (event.type === QUARANTINE_RELEASED) {
    return { problems: releaseProblems(event, { ...metadata, body }), payload: null };
  }
  const content = storedContent(event);
  return content._tag === 'Unreadable'
    ? { problems: ['payload-unreadable'], payload: null }
    : { problems: orderProblems(event, metadata, body, content), payload: content.payload };
};

/** An event of the ledger itself has no signature to hold it to: its digest must cover it, and its data give stream and id. */
const ownProof = (event: RecordedEvent, type: OwnEventType): EventProof => {
  const metadata = parseOwnMetadata(event.metadata);
  if (metadata === null) return { verified: 'no', problems: ['metadata-unreadable'], payload: null };
  const place = ownPlace(type, event.data);
  const problems = found(
    ['record-digest-mismatch', ownRecordDigest(event, metadata) !== metadata.recordSha256],
    ['payload-unreadable', place === null],
    ['stream-mismatch', place !== null && place.stream !== event.stream],
    ['event-id-mismatch', place !== null && place.id !== event.id && place.formerId !== event.id],
    ['data-mismatch', event.rawBody !== null],
  );
  return { verified: problems.length === 0 ? 'unsigned' : 'no', problems, payload: null };
};

/**
 * Proves a stored event anew from its bytes: signature, digests, and that stream, id, type and data are those that the
 * signed bytes give (docs/spec/domain.md, Event; docs/spec/command-line.md, verify).
 */
export const proveEvent = (event: RecordedEvent, secretKey: SecretKeyById): EventProof => {
  if (isOwnEventType(event.type)) return ownProof(event, event.type);
  const metadata = parseMetadata(event.metadata);
  if (metadata === null) return { verified: 'no', problems: ['metadata-unreadable'], payload: null };
  const body = signedBytes(event);
  const key = secretKey(metadata.secretId);
  const { problems: inContent, payload } = contentProblems(event, metadata, body);
  const inSignature = found(['signature-mismatch', key !== null && !signatureFits(key, body, metadata.signature)]);
  const inDigests = digestProblems(event, metadata, body);
  if (inSignature.length + inDigests.length + inContent.length > 0) {
    return { verified: 'no', problems: [...inSignature, ...inDigests, ...inContent], payload };
  }
  return { verified: key === null ? 'unknown-secret' : 'yes', problems: NONE, payload };
};

/** The verdict on a stored event. */
export const verifyEvent = (event: RecordedEvent, secretKey: SecretKeyById): EventVerdict => {
  const { verified, problems } = proveEvent(event, secretKey);
  return { verified, problems };
};
