import { inflateRawSync } from 'node:zlib';
import { unreadable, type StatementUnreadable } from '../unreadable.ts';

/** What a workbook may unpack to in all, and what one of its parts may be to its packed size, in bytes. */
const MOST_UNPACKED = 200 * 1_048_576;
const MOST_TIMES = 200;
/** Small parts are not held to the ratio: a short part of blanks packs well. */
const SMALL = 1_048_576;
const MOST_PARTS = 2_000;

const END_RECORD = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const END_SIZE = 22;
const LONGEST_COMMENT = 65_535;
/** Where the end record says one of these, the archive has another directory (ZIP64), which is for files beyond 4 GiB. */
const ELSEWHERE_16 = 0xffff;
const ELSEWHERE_32 = 0xffffffff;
const STORED = 0;
const DEFLATED = 8;

const refused = (detail: string): StatementUnreadable => unreadable(null, 'zip', detail);

const endRecordIn = (file: Buffer): number => {
  for (let at = file.length - END_SIZE; at >= 0 && at >= file.length - END_SIZE - LONGEST_COMMENT; at -= 1)
    if (file.readUInt32LE(at) === END_RECORD) return at;
  return -1;
};

/**
 * Null where a file is a zip archive that unpacks to what it says and no more than a workbook may; else the refusal. Every
 * part is unpacked once within its bound, since what the archive says of itself proves nothing.
 *
 * @param see is handed each part with its name
 */
export const checkZip = (
  file: Buffer,
  see: (name: string, part: Buffer) => void = () => undefined,
): StatementUnreadable | null => {
  try {
    const end = endRecordIn(file);
    if (end === -1) return refused('the file is no zip archive, or its end is missing');
    const parts = file.readUInt16LE(end + 10);
    let entry = file.readUInt32LE(end + 16);
    // Whoever reads it after this would take that directory, of which nothing was unpacked here.
    if (parts === ELSEWHERE_16 || file.readUInt32LE(end + 12) === ELSEWHERE_32 || entry === ELSEWHERE_32)
      return refused('it has a directory of ZIP64, which no workbook of this size needs');
    if (parts > MOST_PARTS) return refused(`it has more than ${String(MOST_PARTS)} parts`);
    let unpacked = 0;
    for (let part = 0; part < parts; part += 1) {
      if (file.readUInt32LE(entry) !== DIRECTORY_ENTRY) return refused('its directory is damaged');
      if ((file.readUInt16LE(entry + 8) & 1) === 1) return refused('it is encrypted');
      const method = file.readUInt16LE(entry + 10);
      const packed = file.readUInt32LE(entry + 20);
      const local = file.readUInt32LE(entry + 42);
      const from = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
      const data = file.subarray(from, from + packed);
      if (data.length < packed) return refused('it is cut off');
      if (method !== STORED && method !== DEFLATED) return refused('a part is packed in a way that workbooks are not');
      const most = Math.min(MOST_UNPACKED - unpacked, Math.max(SMALL, packed * MOST_TIMES));
      const whole = method === STORED ? data : inflateRawSync(data, { maxOutputLength: Math.max(1, most) });
      unpacked += whole.length;
      if (unpacked > MOST_UNPACKED) return refused('it unpacks to more than a workbook may have');
      see(file.toString('latin1', entry + 46, entry + 46 + file.readUInt16LE(entry + 28)), whole);
      entry += 46 + file.readUInt16LE(entry + 28) + file.readUInt16LE(entry + 30) + file.readUInt16LE(entry + 32);
    }
    return null;
  } catch {
    return refused('it is damaged, or unpacks to more than a workbook may have');
  }
};
