import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';

type Unpack = (packed: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const zlibInflate = promisify(inflate);
const rawInflate = promisify(inflateRaw);

/** RFC 9110, 8.4.1.2, means the zlib form; some servers send the bare one. */
const eitherInflate: Unpack = (packed, options) =>
  ((packed[0] ?? 0) & 0x0f) === 0x08 ? zlibInflate(packed, options) : rawInflate(packed, options);

const UNPACKERS: ReadonlyMap<string, Unpack> = new Map<string, Unpack>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', eitherInflate],
  ['br', promisify(brotliDecompress)],
]);

/** What is asked for: what can be unpacked. */
export const ACCEPTED_CODINGS = 'gzip, deflate, br';

/** Of the error where the unpacked body is larger than allowed. */
export const TOO_LARGE = 'ERR_BUFFER_TOO_LARGE';

/**
 * Unpacks a body, in full and never beyond so many bytes: node-fetch's own way takes a packed body that was cut off for
 * a whole one. Rejects with the code of zlib, or of a coding that is not known.
 *
 * @param coding the header `Content-Encoding`; null: none
 */
export const unpack = async (packed: Buffer, coding: string | null, most: number): Promise<Buffer> => {
  const name = (coding ?? 'identity').trim().toLowerCase();
  // The answer to a HEAD names the coding that a body would have.
  if (packed.length === 0 || name === '' || name === 'identity') return packed;
  const unpacker = UNPACKERS.get(name);
  if (unpacker === undefined) throw Object.assign(new Error('unknown coding'), { code: 'UNKNOWN_CODING' });
  return unpacker(packed, { maxOutputLength: most });
};
