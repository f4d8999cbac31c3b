/**
 * A character of HTML by its name or number, escaped any number of times: each time may have written the `&` by its name or
 * its number, with the `;` that ends it or, as HTML reads it too, without.
 */
const ESCAPE = /&(?:(?:amp|#0*38|#x0*26);?)*(?:#(?<decimal>\d+)|#x(?<hex>[\da-f]+)|(?<name>[a-z][a-z\d]{1,31}));/giu;

/** Those that are written in an address, or end what is one; no other name stands for a mark of an address. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
  ['lt', '<'],
  ['gt', '>'],
  ['lpar', '('],
  ['rpar', ')'],
  ['lsqb', '['],
  ['lbrack', '['],
  ['rsqb', ']'],
  ['rbrack', ']'],
  ['comma', ','],
  ['semi', ';'],
  ['colon', ':'],
  ['period', '.'],
  ['plus', '+'],
  ['hyphen', '-'],
  ['lowbar', '_'],
  ['percnt', '%'],
  ['bsol', '\\'],
  ['commat', '@'],
  ['nbsp', ' '],
  ['tab', '\t'],
  ['newline', '\n'],
]);

/** Some character that is no mark: which one it is does not matter to what is masked, and none is shown in its place. */
const SOME = '*';

const LAST_CODE_POINT = 0x10_ff_ff;

const characterOf = ({ decimal, hex, name = '' }: Readonly<Record<string, string | undefined>>): string => {
  const number = decimal === undefined ? (hex === undefined ? null : Number.parseInt(hex, 16)) : Number(decimal);
  if (number === null) return NAMED.get(name.toLowerCase()) ?? SOME;
  return number > LAST_CODE_POINT ? SOME : String.fromCodePoint(number);
};

/** A text without its escapes of HTML, and where each of its characters stands in the text with them. */
export type Unescaped = {
  readonly text: string;
  /** The place of a character, or of the end, in the text as it was. */
  readonly placeOf: (at: number) => number;
};

/** A text as HTML shows it, in which an address is looked for. */
export const unescapedHtml = (text: string): Unescaped => {
  const escapes = text.includes(';') ? [...text.matchAll(ESCAPE)] : [];
  if (escapes.length === 0) return { text, placeOf: (at) => at };
  const parts: string[] = [];
  const places: number[] = [];
  let until = 0;
  const keepTo = (end: number): void => {
    parts.push(text.slice(until, end));
    for (let at = until; at < end; at += 1) places.push(at);
  };
  for (const { index, 0: escape, groups } of escapes) {
    keepTo(index);
    const character = characterOf(groups ?? {});
    parts.push(character);
    for (let unit = 0; unit < character.length; unit += 1) places.push(index);
    until = index + escape.length;
  }
  keepTo(text.length);
  return { text: parts.join(''), placeOf: (at) => places[at] ?? text.length };
};
