import { unescapedHtml } from './html-escapes.ts';
import { quoteBefore } from './quoted-local-part.ts';

/** What ends a word: no address holds it outside quotes, but for a comment in brackets. */
const DELIMITER = /[\s<>()[\],;:"]/u;

/**
 * As it is, in full width, small or as a tag, escaped in a URL (any number of times), in JSON, in source code or in HTML
 * (any number of times, in a URL too). What is written `=40` or `\100` is one where a host follows, or what is shown
 * of one: `qty=40` has none.
 */
const AT =
  /@|\uFF20|\uFE6B|\u{E0040}|%(?:25)*(?:40|u0040|uff20|ufe6b|EF%(?:25)*BC%(?:25)*A0|EF%(?:25)*B9%(?:25)*AB)|(?:\\|%(?:25)*5C)(?:u(?:0000)?(?:0040|ff20|fe6b)|u\{0*(?:40|ff20|fe6b)\}|x40)|(?:&|%(?:25)*26)(?:amp;)*(?:#|%(?:25)*23)(?:0*(?:64|65312|65131)|x0*(?:40|ff20|fe6b))|&(?:amp;)*commat|(?:=40|\\100)(?=\p{L}(?:\*\*\*|[\p{L}\p{N}-]*(?:\.|=2E)\p{L}))/giu;

/** What can only be a host, behind an at sign and the end of its escape: a word with an end such as `.in`. */
const SURELY_HOST = /^;?\s*(?:[\p{L}\p{N}-]+(?:\.|=2E))+\p{L}{2}/iu;

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

/** An at sign in a text, however it is spelled. */
type Sign = { readonly start: number; readonly end: number };

/** What is shown of a text from a place on to an at sign. */
type Shown = { readonly from: number; readonly text: string };

/**
 * Where the word begins that ends at a place. Looked for from the end: a pattern would look for it from every place.
 *
 * @param floor behind the at sign before it, where it begins at the latest
 */
const wordBefore = (text: string, end: number, floor: number): number => {
  let at = end;
  while (at > floor && !DELIMITER.test(text.charAt(at - 1))) at -= 1;
  return at;
};

/**
 * A word between two at signs may be the host of an address and, behind any mark that hosts have too, the local part of the
 * next (`asha@x.com-ravi@y.com`), or the local part alone (`@ravi@y.com`): it is masked as a whole, since none of it is
 * surely a host.
 */
const maskedWord = (text: string, end: number, floor: number): Shown => {
  const from = wordBefore(text, end, floor);
  return { from, text: maskedLocalPart(text.slice(from, end)) };
};

/** The at signs of a text, asked about from its end to its start. */
type Signs = {
  /** Behind the last one before a place; 0 where there is none. */
  readonly endBefore: (at: number) => number;
  readonly isAt: (at: number) => boolean;
};

const signsIn = (found: readonly Sign[]): Signs => {
  const starts = new Set(found.map(({ start }) => start));
  let before = found.length;
  return {
    endBefore: (at) => {
      while ((found[before - 1]?.start ?? -1) >= at) before -= 1;
      return found[before - 1]?.end ?? 0;
    },
    isAt: (at) => starts.has(at),
  };
};

const isBeforeSign = (text: string, at: number, signs: Signs): boolean => {
  let next = at;
  while (/\s/u.test(text.charAt(next))) next += 1;
  return signs.isAt(next);
};

/** Text in quotes, whose last one is at a place, and the word that it is part of; null where no other quote is before it. */
const maskedQuoted = (text: string, end: number, signs: Signs): Shown | null => {
  let quote = quoteBefore(text, end);
  if (quote === -1) return null;
  // One that ends a local part too may be no beginning of this one: then what it ends is masked with it.
  while (isBeforeSign(text, quote + 1, signs)) {
    const further = quoteBefore(text, quote);
    if (further === -1) break;
    quote = further;
  }
  const from = wordBefore(text, quote, signs.endBefore(quote));
  return { from, text: maskedLocalPart(`${text.slice(from, quote)}***`) };
};

/**
 * What is shown before an at sign. Where what is behind it is surely a host, blanks and comments lie in between too.
 */
const shownBefore = (text: string, at: number, isHost: boolean, signs: Signs): Shown => {
  const floor = signs.endBefore(at);
  const end = isHost ? floor + text.slice(floor, at).trimEnd().length : at;
  const blanks = text.slice(end, at);
  const last = end > floor ? text.charAt(end - 1) : '';
  if (last === '"') {
    const quoted = maskedQuoted(text, end - 1, signs);
    if (quoted !== null) return { ...quoted, text: quoted.text + blanks };
    // What it ends is not there, or was not quoted so: the word before it may be a local part.
    const word = maskedWord(text, end - 1, floor);
    return { ...word, text: `${word.text}"${blanks}` };
  }
  const opening = isHost ? OPENING.get(last) : undefined;
  const bracket = opening === undefined ? -1 : text.slice(floor, end).lastIndexOf(opening);
  if (bracket === -1) {
    const word = maskedWord(text, end, floor);
    return { ...word, text: word.text + blanks };
  }
  const before = floor + text.slice(floor, floor + bracket).trimEnd().length;
  const word = maskedWord(text, before, floor);
  return { ...word, text: `${word.text}${text.slice(before, floor + bracket + 1)}***${last}${blanks}` };
};

/**
 * A text whose e-mail addresses show their first character and their host: `a***@example.com`. Payment addresses
 * (`asha@bank`) and handles (`@asha@example.com`) are of the same form and are masked too. A host that another address
 * follows without a blank or a comma is masked with it. What is escaped for HTML is masked as what HTML shows of it
 * (`o&#39;brien@x.com`, `&quot;john doe&quot;@x.com`); what is not masked stays as it is. Takes time linear in the text.
 */
export const withMaskedEmails = (escaped: string): string => {
  const { text, placeOf } = unescapedHtml(escaped);
  const asWas = (from: number, to: number): string => escaped.slice(placeOf(from), placeOf(to));
  const found: readonly Sign[] = Array.from(text.matchAll(AT), ({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }));
  if (found.length === 0) return escaped;
  const signs = signsIn(found);
  // From the end, since quotes are known by the last of them: what they hold is masked whatever is in it.
  const shown: string[] = [];
  let until = text.length;
  for (let i = found.length - 1; i >= 0; i -= 1) {
    const sign = found[i];
    if (sign === undefined || sign.start >= until) continue;
    const isHost = SURELY_HOST.test(text.slice(sign.end, found[i + 1]?.start));
    const masked = shownBefore(text, sign.start, isHost, signs);
    shown.push(asWas(sign.start, until), masked.text);
    until = masked.from;
  }
  return asWas(0, until) + shown.toReversed().join('');
};

/** Whether a text is one e-mail address and nothing else. */
export const isEmailAddress = (text: string): boolean => ADDRESS.test(text);
