import { crc32 } from 'node:zlib';
import { turnsBetween } from '../../concurrency/turns-between.ts';
import type { Files } from './evidence-files.ts';

const [LOCAL, CENTRAL, END] = [0x04034b50, 0x02014b50, 0x06054b50];
const [LOCAL_BYTES, CENTRAL_BYTES, END_BYTES] = [30, 46, 22];
/** Of a reader of ZIP. */
const VERSION = 20;
/** As `zipped` writes it of every entry: noon of the first day that a ZIP can name. */
const WRITTEN = (1 << 21) | (1 << 16) | (12 << 11);
/** A count wraps as it does in `zipped`: readers go by the directory. */
const MOST_COUNTED = 0xff_ff;

type Entry = { readonly name: Buffer; readonly at: number; readonly crc: number; readonly size: number };

/** What both headers of an entry say, from its version on. */
const writeCommon = (zip: Buffer, from: number, { name, crc, size }: Entry): void => {
  zip.writeUInt16LE(VERSION, from);
  zip.writeUInt32LE(WRITTEN, from + 6);
  zip.writeUInt32LE(crc, from + 10);
  zip.writeUInt32LE(size, from + 14);
  zip.writeUInt32LE(size, from + 18);
  zip.writeUInt16LE(name.length, from + 22);
};

const writeLocal = (zip: Buffer, entry: Entry, content: Buffer): number => {
  const { at, name } = entry;
  zip.writeUInt32LE(LOCAL, at);
  writeCommon(zip, at + 4, entry);
  name.copy(zip, at + LOCAL_BYTES);
  content.copy(zip, at + LOCAL_BYTES + name.length);
  return at + LOCAL_BYTES + name.length + content.length;
};

const writeCentral = (zip: Buffer, from: number, entry: Entry): number => {
  const { at, name } = entry;
  zip.writeUInt32LE(CENTRAL, from);
  zip.writeUInt16LE(VERSION, from + 4);
  writeCommon(zip, from + 6, entry);
  zip.writeUInt32LE(at, from + 42);
  name.copy(zip, from + CENTRAL_BYTES);
  return from + CENTRAL_BYTES + name.length;
};

const sizeOf = (files: Files): number => {
  let size = END_BYTES;
  for (const [name, content] of files) size += LOCAL_BYTES + CENTRAL_BYTES + 2 * name.length + content.length;
  return size;
};

/**
 * The bytes that `zipped` makes of some files, made with turns for others in between, in memory of its own that can be handed on
 * without a copy. Names are of ASCII, as those of evidence are.
 */
export const zippedInTurns = async (files: Files): Promise<Buffer<ArrayBuffer>> => {
  const turns = turnsBetween();
  const zip = Buffer.from(new ArrayBuffer(sizeOf(files)));
  const entries: Entry[] = [];
  let at = 0;
  for (const [name, content] of files) {
    await turns();
    const entry = { name: Buffer.from(name), at, crc: crc32(content), size: content.length };
    entries.push(entry);
    at = writeLocal(zip, entry, content);
  }
  const directory = at;
  for (const entry of entries) {
    await turns();
    at = writeCentral(zip, at, entry);
  }
  const count = entries.length & MOST_COUNTED;
  zip.writeUInt32LE(END, at);
  zip.writeUInt16LE(count, at + 8);
  zip.writeUInt16LE(count, at + 10);
  zip.writeUInt32LE(at - directory, at + 12);
  zip.writeUInt32LE(directory, at + 16);
  return zip;
};
