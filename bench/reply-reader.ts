/** Where a reply ends and what it says: as much as a load generator needs. */
export type Reply = {
  readonly status: number;
  /** First byte of the body. */
  readonly bodyStart: number;
  /** First byte after the reply. */
  readonly end: number;
};

const [CR, LF, COLON, SPACE, ZERO] = [13, 10, 58, 32, 48];
const CONTENT_LENGTH = Buffer.from('content-length');
/** The bit that is set in a small letter and not in its capital. It is set in digits, `-` and blanks too. */
const SMALL = 0x20;

/** Digits of `Content-Length: 123` if that is the header line which starts at `from`; else -1. */
const contentLengthAt = (bytes: Uint8Array, from: number): number => {
  if (bytes[from + CONTENT_LENGTH.length] !== COLON) return -1;
  for (let i = 0; i < CONTENT_LENGTH.length; i += 1) {
    if (((bytes[from + i] ?? 0) | SMALL) !== CONTENT_LENGTH[i]) return -1;
  }
  let at = from + CONTENT_LENGTH.length + 1;
  while (bytes[at] === SPACE) at += 1;
  let length = 0;
  for (let byte = bytes[at] ?? CR; byte !== CR; byte = bytes[at] ?? CR) {
    length = length * 10 + byte - ZERO;
    at += 1;
  }
  return length;
};

/**
 * The reply at the beginning of `bytes`; null while it is incomplete. It is read byte by byte, since an HTTP parser in
 * the load generator would take the time that the servers need.
 *
 * @throws Error on a reply without a Content-Length
 */
export const readReply = (bytes: Uint8Array): Reply | null => {
  let length = -1;
  for (let i = 0; i < bytes.length - 1; i += 1) {
    if (bytes[i] !== LF) continue;
    if (bytes[i + 1] === CR) {
      if (length < 0) throw new Error('a reply without Content-Length');
      const bodyStart = i + 3;
      const end = bodyStart + length;
      return end > bytes.length ? null : { status: statusOf(bytes), bodyStart, end };
    }
    const found = contentLengthAt(bytes, i + 1);
    if (found >= 0) length = found;
  }
  return null;
};

const STATUS_AT = 'HTTP/1.1 '.length;

const statusOf = (bytes: Uint8Array): number =>
  [0, 1, 2].reduce((status, i) => status * 10 + (bytes[STATUS_AT + i] ?? ZERO) - ZERO, 0);
