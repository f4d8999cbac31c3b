/** What stands before each value in a text of a delivery's metadata, and behind the last; up to the secret id each begins at a fixed offset. */
type Layout = {
  readonly start: string;
  readonly signature: string;
  readonly secretId: string;
  readonly body: string;
  readonly record: string;
  readonly request: string;
  readonly correlation: string;
  readonly end: string;
};

const BETWEEN = '","';

/** As it is written: the values in their order. Their names would be a quarter of it, and it is written twice. */
const LISTED: Layout = {
  start: '[1,"',
  signature: BETWEEN,
  secretId: BETWEEN,
  body: BETWEEN,
  record: BETWEEN,
  request: BETWEEN,
  correlation: BETWEEN,
  end: '"]',
};

/** As earlier versions wrote it: events are never changed, so it is read for as long as there are such files. */
const NAMED: Layout = {
  start: '{"schemaVersion":1,"receivedAt":"',
  signature: '","signature":"',
  secretId: '","secretId":"',
  body: '","bodySha256":"',
  record: '","recordSha256":"',
  request: '","requestId":"',
  correlation: '","$correlationId":"',
  end: '"}',
};

const HEX = 64;
const INSTANT = 24;

const layoutOf = (text: string): Layout => (text.startsWith(LISTED.start) ? LISTED : NAMED);

/** Where the moment of receipt stands in a text that begins as one does that was written; null for any other. */
export const receivedAtPlace = (text: string): { readonly at: number; readonly end: number } | null => {
  const { start, signature } = layoutOf(text);
  const end = start.length + INSTANT;
  return text.startsWith(start) && text.startsWith(signature, end) ? { at: start.length, end } : null;
};

/** Where the values stand in a text that was written, each up to its quote; those of digests have 64 digits. */
export type WrittenPlaces = {
  readonly receivedAt: number;
  readonly receivedEnd: number;
  readonly signature: number;
  readonly secretId: number;
  readonly secretEnd: number;
  readonly body: number;
  readonly record: number;
  readonly request: number;
  readonly requestEnd: number;
  readonly correlation: number;
  readonly correlationEnd: number;
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
const placesOf = (text: string): WrittenPlaces | null => {
  const layout = layoutOf(text);
  const receivedAt = layout.start.length;
  const receivedEnd = receivedAt + INSTANT;
  const signature = receivedEnd + layout.signature.length;
  if (!text.startsWith(layout.start) || !text.startsWith(layout.signature, receivedEnd) || text.includes('\\'))
    return null;
  const secretId = signature + HEX + layout.secretId.length;
  const secretEnd = text.indexOf('"', secretId);
  const body = secretEnd + layout.body.length;
  const record = body + HEX + layout.record.length;
  const request = record + HEX + layout.request.length;
  const requestEnd = text.indexOf('"', request);
  const correlation = requestEnd + layout.correlation.length;
  const correlationEnd = text.length - layout.end.length;
  const length = requestEnd - request;
  const isWhole =
    text.startsWith(layout.secretId, signature + HEX) &&
    secretEnd > secretId &&
    text.startsWith(layout.body, secretEnd) &&
    text.startsWith(layout.record, body + HEX) &&
    text.startsWith(layout.request, record + HEX) &&
    text.startsWith(layout.correlation, requestEnd) &&
    text.indexOf('"', correlation) === correlationEnd &&
    text.endsWith(layout.end) &&
    length >= SHORTEST_REQUEST &&
    length <= LONGEST_REQUEST &&
    areBytes(text.slice(0, requestEnd)) &&
    isOf(1, body, body + HEX) &&
    isOf(1, record, record + HEX) &&
    isOf(2, request, requestEnd);
  if (!isWhole) return null;
  return {
    receivedAt,
    receivedEnd,
    signature,
    secretId,
    secretEnd,
    body,
    record,
    request,
    requestEnd,
    correlation,
    correlationEnd,
  };
};

let last: { readonly text: string; readonly places: WrittenPlaces | null } = { text: '', places: null };

/**
 * Where the values stand in a text of a delivery's metadata; null where it is not as the ledger writes it, or one of its
 * values is escaped or no ASCII: then it has to be read in a slower way. What was looked at last, by whoever, is not gone
 * through again.
 */
export const writtenPlaces = (text: string): WrittenPlaces | null => {
  if (text !== last.text) last = { text, places: placesOf(text) };
  return last.places;
};
