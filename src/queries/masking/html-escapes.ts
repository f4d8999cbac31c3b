import { unescaped, type Unescaped } from './unescaped.ts';

/**
 * A character of HTML by its name or number, escaped any number of times: each time may have written the `&` by its name or
 * its number, with the `;` that ends it or, as HTML reads it too, without. A quote may be written without it too.
 */
const ESCAPE =
  /&(?:(?:amp|#0*38|#x0*26);?)*(?:(?:#(?<decimal>\d+)|#x(?<hex>[\da-f]+)|(?<name>[a-z][a-z\d]{1,31}));|(?<quote>quot|#0*34(?!\d)|#x0*22(?![\da-f])))/giu;

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

const characterOf = ({ decimal, hex, name = '', quote }: Readonly<Record<string, string | undefined>>): string => {
  if (quote !== undefined) return '"';
  const number = decimal === undefined ? (hex === undefined ? null : Number.parseInt(hex, 16)) : Number(decimal);
  if (number === null) return NAMED.get(name.toLowerCase()) ?? SOME;
  return number > LAST_CODE_POINT ? SOME : String.fromCodePoint(number);
};

/** A text as HTML shows it, in which an address is looked for. */
export const unescapedHtml = (text: string): Unescaped => {
  const escapes = text.includes('&') ? [...text.matchAll(ESCAPE)] : [];
  return unescaped(
    text,
    escapes.map(({ index, 0: escape, groups }) => ({ from: index, escape, character: characterOf(groups ?? {}) })),
  );
};
