import { atSignsIn, type AtSigns } from './at-signs.ts';
import { unescapedHtml } from './html-escapes.ts';
import { quoteBefore } from './quoted-local-part.ts';

/** What ends a word: no address holds it outside quotes, but for a comment in brackets. Asked of each letter of a word, by its code. */
const DELIMITERS: ReadonlySet<number> = new Set(
  Array.from(
    '<>()[],;:" \t\n\v\f\r\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF',
    (mark) => mark.charCodeAt(0),
  ),
);

/** Sticky, so that a run of blanks is looked at at once. */
const BLANKS = /\s*/uy;

/** What can only be a host, behind an at sign and the end of its escape: a word with an end such as `.in`. */
const SURELY_HOST = /;?\s*(?:[\p{L}\p{M}\p{N}-]+(?:[.。．｡]|[=%]2E))+\p{L}[\p{L}\p{M}]/iuy;

/** The shortest that can be: `x.in`. What is shorter need not be looked at. */
const SHORTEST_HOST = 4;

/** A word that is an address as a whole, with a host that can hold no number of a phone or an account. */
const ADDRESS = /^[^\s<>()[\],;:"@]+@([\p{L}\p{M}\p{N}-]+[.。．｡])+\p{L}[\p{L}\p{M}]+$/u;

const MASK = '***';

const MASKED = /^.?\*\*\*$/u;

const OPENING: ReadonlyMap<string, string> = new Map([
  [')', '('],
  [']', '['],
  ['>', '<'],
]);

/** `a***`: the first character tells two customers apart and nobody who they are (docs/spec/http.md, Personal data). */
const maskedLocalPart = (part: string): string => {
  const first = part.codePointAt(0);
  // Most end otherwise, and are not looked at with a pattern.
  return first === undefined || (part.endsWith(MASK) && MASKED.test(part)) ? part : String.fromCodePoint(first) + MASK;
};

/** What is shown of a text from a place on to an at sign. */
type Shown = { readonly from: number; readonly text: string };

/**
 * Where the word begins that ends at a place. Looked for from the end: a pattern would look for it from every place.
 *
 * @param floor behind the at sign before it, where it begins at the latest
 */
const wordBefore = (text: string, end: number, floor: number): number => {
  let at = end;
  while (at > floor && !DELIMITERS.has(text.charCodeAt(at - 1))) at -= 1;
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
  /** Asked before the ends before what is further back. */
  readonly isAt: (at: number) => boolean;
};

const askedBackwards = ({ starts, ends }: AtSigns): Signs => {
  let before = starts.length;
  const goTo = (at: number): void => {
    while ((starts[before - 1] ?? -1) >= at) before -= 1;
  };
  return {
    endBefore: (at) => {
      goTo(at);
      return ends[before - 1] ?? 0;
    },
    isAt: (at) => {
      goTo(at);
      return starts[before] === at;
    },
  };
};

const isBeforeSign = (text: string, at: number, signs: Signs): boolean => {
  BLANKS.lastIndex = at;
  BLANKS.test(text);
  return signs.isAt(BLANKS.lastIndex);
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
  return { from, text: maskedLocalPart(text.slice(from, quote) + MASK) };
};

/** Whether what is behind an at sign is surely a host. No next sign is in one, nor begins with what can be in it. */
const isSurelyHost = (text: string, from: number, nextSign: number): boolean => {
  if (nextSign - from < SHORTEST_HOST) return false;
  SURELY_HOST.lastIndex = from;
  return SURELY_HOST.test(text);
};

/**
 * What is shown before an at sign. Where what is behind it is surely a host, blanks and comments lie in between too.
 *
 * @param floor behind the at sign before it
 */
const shownBefore = (text: string, at: number, floor: number, isHost: boolean, signs: Signs): Shown => {
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
  const found = atSignsIn(text);
  const { starts, ends } = found;
  if (starts.length === 0) return escaped;
  const signs = askedBackwards(found);
  // From the end, since quotes are known by the last of them: what they hold is masked whatever is in it.
  const shown: string[] = [];
  let until = text.length;
  for (let i = starts.length - 1; i >= 0; i -= 1) {
    const start = starts[i] ?? 0;
    const floor = ends[i - 1] ?? 0;
    // Nothing is before most of a run of them, and no piece is made for one with nothing before it.
    if (start >= until || start === floor) continue;
    const isHost = isSurelyHost(text, ends[i] ?? start, starts[i + 1] ?? text.length);
    const masked = shownBefore(text, start, floor, isHost, signs);
    if (masked.from === start) continue;
    shown.push(masked.text + asWas(start, until));
    until = masked.from;
  }
  shown.push(asWas(0, until));
  return shown.toReversed().join('');
};

/** Whether a text is one e-mail address and nothing else. */
export const isEmailAddress = (text: string): boolean => ADDRESS.test(text);
