import { unreadable, type StatementUnreadable } from './unreadable.ts';

const BOMS: readonly (readonly [readonly number[], string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** The encoding that a byte-order mark tells; null where there is none. */
export const encodingOfMark = (bytes: Uint8Array): string | null =>
  BOMS.find(([mark]) => mark.every((byte, at) => bytes[at] === byte))?.[1] ?? null;

/** Text of bytes in a named encoding, without its byte-order mark; null where the bytes are not of it, or nobody knows it. */
export const decodeAs = (bytes: Uint8Array, encoding: string): string | null => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
};

const NUL = unreadable(null, 'encoding', 'the file has zero bytes, so it is no text');

/** Whether every store takes a text: it has neither the character 0 nor half a pair of surrogates. */
export const isPlain = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** The text, unless the character 0 is in it. */
export const withoutNul = (text: string): string | StatementUnreadable => (text.includes('\0') ? NUL : text);

/**
 * The text of a file whose format names no encoding: by its byte-order mark, else UTF-8 where it is that, else
 * Windows-1252, which is what banks write that don't write UTF-8.
 */
export const readText = (bytes: Uint8Array): string | StatementUnreadable => {
  const marked = encodingOfMark(bytes);
  if (marked !== null) {
    const text = decodeAs(bytes, marked);
    return text === null
      ? unreadable(1, 'encoding', `the file says that it is ${marked}, and is not`)
      : withoutNul(text);
  }
  if (bytes.includes(0)) return NUL;
  return decodeAs(bytes, 'utf-8') ?? decodeAs(bytes, 'windows-1252') ?? NUL;
};

/** The number of the line that a place in a text is on, from 1. */
export const lineAt = (text: string, place: number): number => {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < place; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
};
