import { branded, type Brand } from './brand.ts';
import { guarded, guardedText } from './guarded.ts';

/**
 * The provider's order identifier: 1 to 200 UTF-16 code units, well-formed, without U+0000 (docs/spec/domain.md, What
 * must be readable).
 */
export type OrderId = Brand<string, 'OrderId'>;

/** A bank's payout reference, never empty; case-sensitive (docs/spec/finance.md, Payout references). */
export type Utr = Brand<string, 'Utr'>;

/** A version 5 UUID in lower case. */
export type EventId = Brand<string, 'EventId'>;

/**
 * What other facts under a key are known by inside the ledger (docs/spec/domain.md, Decision). It is no event id, and no
 * answer takes one for the other.
 */
export type ConflictName = Brand<string, 'ConflictName'>;

/** `order-<orderId>`, `quarantine-<bodySha256>`, or a stream of the ledger's own events. */
export type StreamName = Brand<string, 'StreamName'>;

/** Number of an event in its stream, from 0. */
export type Revision = Brand<number, 'Revision'>;

/** Where an event stands in the whole log. It has a meaning only in the store that gave it (see `position.ts`). */
export type Position = Brand<string, 'Position'>;

/** SHA-256 as 64 lower-case hex digits. */
export type Sha256 = Brand<string, 'Sha256'>;

/** Name under which a webhook secret is configured. */
export type SecretId = Brand<string, 'SecretId'>;

/** `[A-Za-z0-9_.:-]{8,128}`, the caller's own or generated (docs/spec/http.md, Errors). */
export type RequestId = Brand<string, 'RequestId'>;

const LONGEST_ORDER_ID = 200;

/** Whether text can name an order (docs/spec/domain.md, What must be readable). */
export const isOrderId = (text: string): text is OrderId =>
  text.length > 0 && text.length <= LONGEST_ORDER_ID && text.isWellFormed() && !text.includes('\0');

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether text is an event id in the form that the ledger writes. */
export const isEventId = (text: string): text is EventId => UUID.test(text);

/** Whether text is a digest in the form that the ledger writes. */
export const isSha256 = (text: string): text is Sha256 => /^[0-9a-f]{64}$/.test(text);

export const isRevision = (value: number): value is Revision => Number.isSafeInteger(value) && value >= 0;

export const isRequestId = (text: string): text is RequestId => /^[\w.:-]{8,128}$/.test(text);

/** The codec of each id: what is stored, and what crosses to another thread or process, is read by these and by no others. */
export const OrderIdText = guardedText('order id', isOrderId);
export const UtrText = guardedText('utr', (text): text is Utr => text !== '');
export const EventIdText = guardedText('event id', isEventId);
export const StreamNameText = guardedText('stream', (text): text is StreamName => text !== '');
export const RevisionNumber = guarded('revision', (u): u is Revision => typeof u === 'number' && isRevision(u));
export const Sha256Text = guardedText('sha-256', isSha256);
export const SecretIdText = guardedText('secret id', (text): text is SecretId => text !== '');
export const RequestIdText = guardedText('request id', isRequestId);

/** What the names of order streams begin with. */
export const ORDER_STREAM = 'order-';
/** What the names of all quarantine streams begin with. */
export const QUARANTINE_STREAM = 'quarantine-';

/** What the names of the streams begin with that hold the ledger's own events (docs/spec/domain.md, Own events). */
export const OWN_STREAMS = {
  period: 'period-',
  statement: 'statement-',
  profile: 'profile-',
  transfer: 'transfer-',
  match: 'match-',
  closure: 'closure-',
} as const;

/** What the names of streams begin with, of each kind that there is. */
export const STREAM_KINDS: readonly string[] = [ORDER_STREAM, QUARANTINE_STREAM, ...Object.values(OWN_STREAMS)];

/** Kinds of which each stream's name goes on with what others chose: a provider's order id, the name of a bank file's layout. */
const CHOSEN: readonly string[] = [ORDER_STREAM, OWN_STREAMS.profile];

/** Whether a name can be that of a stream of a ledger. What the ledger names itself holds digests, numbers and months, and no name of another stream. */
export const isStreamOfLedger = (name: string): name is StreamName => {
  const kind = STREAM_KINDS.find((begin) => name.startsWith(begin));
  if (kind === undefined) return false;
  const rest = name.slice(kind.length);
  return rest !== '' && (CHOSEN.includes(kind) || !STREAM_KINDS.some((other) => rest.includes(other)));
};

/**
 * Whether names of streams that begin with this can't be taken for another ledger's, on a server that several share: behind
 * no beginning of them there is the name of a stream, whichever prefix that ledger has of those that may be given.
 */
export const keepsStreamsApart = (prefix: string): boolean =>
  STREAM_KINDS.every((own) => STREAM_KINDS.every((kind) => !`${prefix}${own}`.slice(0, -1).includes(kind)));

/** A stream of the ledger's own events: what its name begins with, and what it is about. */
export const ownStream = (kind: keyof typeof OWN_STREAMS, about: string): StreamName =>
  branded<StreamName>(OWN_STREAMS[kind] + about);

export const orderStream = (orderId: OrderId): StreamName => branded<StreamName>(ORDER_STREAM + orderId);

export const quarantineStream = (bodySha256: Sha256): StreamName => branded<StreamName>(QUARANTINE_STREAM + bodySha256);

/** The order that a stream belongs to; null for a stream that is no order's. */
export const orderIdOfStream = (stream: StreamName): OrderId | null => {
  const id = stream.startsWith(ORDER_STREAM) ? stream.slice(ORDER_STREAM.length) : '';
  return isOrderId(id) ? id : null;
};

export const isOrderStream = (stream: StreamName): boolean => stream.startsWith(ORDER_STREAM);

export const isQuarantineStream = (stream: StreamName): boolean => stream.startsWith(QUARANTINE_STREAM);

/** Whether a stream says what people did about a body in quarantine. */
export const isClosureStream = (stream: StreamName): boolean => stream.startsWith(OWN_STREAMS.closure);

/** The digest of the body that a quarantine stream keeps; null for a stream that is none. */
export const bodyOfQuarantineStream = (stream: StreamName): Sha256 | null => {
  const digest = isQuarantineStream(stream) ? stream.slice(QUARANTINE_STREAM.length) : '';
  return isSha256(digest) ? digest : null;
};
