import { unescaped, type Escape, type Unescaped } from './unescaped.ts';

/** A word of a mail's header in the encoding that leaves letters as they are (RFC 2047, 4.2), whole or cut off. */
const ENCODED_WORD = /=\?[^?\s]{1,64}\?q\?(?<content>[^?]*)/giu;

const ESCAPE = /_|=(?<hex>[\da-f]{2})/giu;

/** Some character that is no mark: one of several bytes. */
const SOME = '*';

const FIRST_OF_SEVERAL = 0x80;

const characterOf = (hex: string | undefined): string => {
  if (hex === undefined) return ' ';
  const code = Number.parseInt(hex, 16);
  return code < FIRST_OF_SEVERAL ? String.fromCharCode(code) : SOME;
};

/** A text with the encoded words of a mail's header as a mail program shows them, in which an address is looked for. */
export const unencodedWords = (text: string): Unescaped => {
  const words = text.includes('=?') ? text.matchAll(ENCODED_WORD) : [];
  const escapes: Escape[] = [];
  for (const { index, 0: word, groups } of words) {
    const content = groups?.['content'] ?? '';
    const from = index + word.length - content.length;
    for (const { index: at, 0: escape, groups: parts } of content.matchAll(ESCAPE)) {
      escapes.push({ from: from + at, escape, character: characterOf(parts?.['hex']) });
    }
  }
  return unescaped(text, escapes);
};
