import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { refusePipe } from '../../files/own-file.ts';
import { LOG_MAGIC } from '../log-header.ts';
import { placeOfFile } from '../place-of-file.ts';

/** Of a write-ahead log, and of each page in it (the SQLite documentation, WAL-mode File Format, 4.1 and 4.2). */
const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** The last bit of the number that a log begins with: checksums are made of big-endian words. */
const BIG_ENDIAN = 1;
const SALTS_BYTES = 8;

/** A write-ahead log in whose midst something is not what was written: SQLite takes nothing from there on, and says nothing. */
export type BrokenLog = {
  /** Its path. */
  readonly log: string;
  /** Which of its pages is the first that is not what was written, from 1; 0: its header. */
  readonly page: number;
  /** Commits that end behind it, and are as they were written; 0 where the header is not, which all else is told by. */
  readonly commits: number;
};

/** The two halves of a checksum. */
type Sum = readonly [number, number];

const wordAt = (bytes: Buffer, at: number, isBig: boolean): number =>
  isBig ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);

/** SQLite's checksum of some bytes, going on from another one. */
const summed = ([first, second]: Sum, bytes: Buffer, isBig: boolean): Sum => {
  let [a, b] = [first, second];
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + wordAt(bytes, at, isBig) + b) >>> 0;
    b = (b + wordAt(bytes, at + 4, isBig) + a) >>> 0;
  }
  return [a, b];
};

const sumAt = (bytes: Buffer, at: number): Sum => [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)];

const isSame = (a: Sum, b: Sum): boolean => a[0] === b[0] && a[1] === b[1];

/** The checksum of a frame, going on from that of the one before. */
const sumBehind = (sum: Sum, frame: Buffer, isBig: boolean): Sum =>
  summed(summed(sum, frame.subarray(0, 8), isBig), frame.subarray(FRAME_HEADER_BYTES), isBig);

/** Frame by frame, of the log as it was begun last: what is left of earlier ones has other salts, and is no part of it. */
const brokenIn = (handle: number, log: string): BrokenLog | null => {
  const header = Buffer.alloc(HEADER_BYTES);
  if (readSync(handle, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return null;
  const isBig = (header[3] ?? 0) % 2 === BIG_ENDIAN;
  const ofHeader = summed([0, 0], header.subarray(0, 24), isBig);
  if (!LOG_MAGIC.has(header.readUInt32BE(0)) || !isSame(ofHeader, sumAt(header, 24))) {
    // Of one that is only begun nothing is lost.
    return fstatSync(handle).size > HEADER_BYTES ? { log, page: 0, commits: 0 } : null;
  }
  const frame = Buffer.alloc(FRAME_HEADER_BYTES + header.readUInt32BE(8));
  // What the one before says of itself, and what it is: where it is broken, one of the two is what the next one went on from.
  let [said, made]: readonly [Sum, Sum] = [ofHeader, ofHeader];
  let [broken, commits] = [0, 0];
  for (let page = 1; ; page += 1) {
    const at = HEADER_BYTES + (page - 1) * frame.length;
    if (readSync(handle, frame, 0, frame.length, at) < frame.length) break;
    const stands = sumAt(frame, 16);
    const isOfThis = frame.subarray(8, 8 + SALTS_BYTES).equals(header.subarray(16, 16 + SALTS_BYTES));
    const behind = isOfThis ? [said, made].map((sum) => sumBehind(sum, frame, isBig)) : [];
    const isWhole = behind.some((sum) => isSame(sum, stands));
    if (!isWhole && broken === 0) broken = page;
    if (isWhole && broken > 0 && frame.readUInt32BE(4) > 0) commits += 1;
    [said, made] = [stands, behind[1] ?? stands];
  }
  return commits === 0 ? null : { log, page: broken, commits };
};

/**
 * Looks whether the write-ahead log of a database that nobody has open is whole, before SQLite opens it, which throws away what
 * stands behind a page that is not what was written. Where nothing that is whole stands behind it, it is the end of the log, as a
 * commit that a failure of power has cut off leaves it.
 *
 * A failure of power may also leave out some of what was not yet to be durable, and keep what came behind that.
 *
 * @returns null where it is whole, or is not there
 * @throws what reading it ends with
 */
export const brokenLog = (file: string): BrokenLog | null => {
  const log = `${placeOfFile(file)}-wal`;
  if (!existsSync(log)) return null;
  refusePipe(log);
  const handle = openSync(log, 'r');
  try {
    return brokenIn(handle, log);
  } finally {
    closeSync(handle);
  }
};
