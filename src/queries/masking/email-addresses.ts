/** What ends a word: no address holds it outside quotes, but for a comment in brackets. */
const DELIMITER = /[\s<>()[\],;:"]/u;

/**
 * As it is, in full width, small or as a tag, escaped in a URL (any number of times), in JSON, in source code or in HTML
 * (any number of times, in a URL too). What is written `=40` or `\100` is one where a host follows: `qty=40` has none.
 */
const AT =
  /(@|\uFF20|\uFE6B|\u{E0040}|%(?:25)*(?:40|u0040|uff20|ufe6b|EF%(?:25)*BC%(?:25)*A0|EF%(?:25)*B9%(?:25)*AB)|(?:\\|%(?:25)*5C)(?:u(?:0000)?(?:0040|ff20|fe6b)|u\{0*(?:40|ff20|fe6b)\}|x40)|(?:&|%(?:25)*26)(?:amp;)*(?:#|%(?:25)*23)(?:0*(?:64|65312|65131)|x0*(?:40|ff20|fe6b))|&(?:amp;)*commat|(?:=40|\\100)(?=\p{L}[\p{L}\p{N}-]*(?:\.|=2E)\p{L}))/iu;

/** What can only be a host, behind an at sign and the end of its escape: a word with an end such as `.in`. */
const SURELY_HOST = /^;?\s*(?:[\p{L}\p{N}-]+(?:\.|=2E))+\p{L}{2}/iu;

/** The host at the start of what follows an at sign. */
const HOST = /^[\p{L}\p{N}.-]*/u;

/** A word that is an address as a whole, with a host that can hold no number of a phone or an account. */
const ADDRESS = /^[^\s<>()[\],;:"@]+@([\p{L}\p{N}-]+\.)+\p{L}{2,}$/u;

const MASKED = /^.?\*\*\*$/u;

const OPENING: ReadonlyMap<string, string> = new Map([
  [')', '('],
  [']', '['],
  ['>', '<'],
]);

/** `a***`: the first character tells two customers apart and nobody who they are (docs/spec/http.md, Personal data). */
const maskedLocalPart = (part: string): string =>
  part === '' || MASKED.test(part) ? part : `${String.fromCodePoint(part.codePointAt(0) ?? 42)}***`;

/** A word before an at sign: a local part, or the host of the address before it and then one. */
const maskedWord = (word: string, isFirst: boolean): string => {
  const host = isFirst ? '' : (HOST.exec(word)?.[0] ?? '');
  return host === word ? maskedLocalPart(word) : host + maskedLocalPart(word.slice(host.length));
};

/** A text whose last word is masked. Looked for from the end: a pattern would look for it from every place. */
const withMaskedEnd = (text: string, isFirst: boolean): string => {
  let at = text.length;
  while (at > 0 && !DELIMITER.test(text.charAt(at - 1))) at -= 1;
  return text.slice(0, at) + maskedWord(text.slice(at), isFirst || at > 0);
};

/** Where the quoted text begins that ends a text; -1 where it ends none. Within quotes that are not escaped, escaped ones are part of it. */
const quoteBefore = (text: string): number => {
  const last = text.length - 1;
  let at = text.lastIndexOf('"', last - 1);
  while (text.charAt(last - 1) !== '\\' && at > 0 && text.charAt(at - 1) === '\\') at = text.lastIndexOf('"', at - 1);
  return last > 0 ? at : -1;
};

/** What stands before an at sign, `next` behind it. Where that is surely a host, blanks and comments lie in between too. */
const maskedBefore = (piece: string, next: string, isFirst: boolean): string => {
  const isHost = SURELY_HOST.test(next);
  const text = isHost ? piece.trimEnd() : piece;
  const blanks = piece.slice(text.length);
  const last = text.at(-1) ?? '';
  const quote = last === '"' ? quoteBefore(text) : -1;
  if (quote !== -1) return withMaskedEnd(`${text.slice(0, quote)}***`, isFirst) + blanks;
  const opening = isHost ? OPENING.get(last) : undefined;
  const bracket = opening === undefined ? -1 : text.lastIndexOf(opening);
  if (bracket === -1) return withMaskedEnd(text, isFirst) + blanks;
  const before = text.slice(0, bracket).trimEnd();
  return `${withMaskedEnd(before, isFirst)}${text.slice(before.length, bracket + 1)}***${last}${blanks}`;
};

/**
 * A text whose e-mail addresses show their first character and their host: `a***@example.com`. Payment addresses
 * (`asha@bank`) are of the same form and are masked too. Takes time linear in the text.
 */
export const withMaskedEmails = (text: string): string => {
  // Splitting by a group leaves the at signs in, at odd places.
  const parts = text.split(AT);
  if (parts.length === 1) return text;
  return parts
    .map((part, i) => (i % 2 === 1 || i === parts.length - 1 ? part : maskedBefore(part, parts[i + 2] ?? '', i === 0)))
    .join('');
};

/** Whether a text is one e-mail address and nothing else. */
export const isEmailAddress = (text: string): boolean => ADDRESS.test(text);
