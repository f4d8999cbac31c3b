import { atSignsIn, type AtSigns } from './at-signs.ts';
import { commentBefore, commentsBefore, withoutBlanks } from './comments.ts';
import { unencodedWords } from './encoded-words.ts';
import { unescapedHtml } from './html-escapes.ts';
import { quoteBefore } from './quoted-local-part.ts';
import { SpelledQuotes } from './spelled-quotes.ts';

/** What ends a word: no address holds it outside quotes, but for a comment in brackets. Asked of each letter of a word, by its code. */
const DELIMITERS: ReadonlySet<number> = new Set(
  Array.from(
    '<>()[],;:" \t\n\v\f\r\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF',
    (mark) => mark.charCodeAt(0),
  ),
);

/** Sticky, so that a run of blanks is looked at at once. */
const BLANKS = /\s*/uy;

/**
 * What can only be a host, behind an at sign and the end of its escape: a word with an end such as `.in`. Tags may stand in front
 * of it, and blanks at a point of it that has one in front: behind a point alone the next sentence begins.
 */
const SURELY_HOST =
  /;?\s*(?:<[^<>]{0,200}>\s*){0,4}(?:[\p{L}\p{M}\p{N}-]+(?:\s+[.。．｡]\s*|[.。．｡]|[=%]2E))+\p{L}[\p{L}\p{M}]/iuy;

/** The shortest that can be: `x.in`. What is shorter need not be looked at. */
const SHORTEST_HOST = 4;

/** A word that is an address as a whole, with a host that can hold no number of a phone or an account. */
const ADDRESS = /^[^\s<>()[\],;:"@]+@([\p{L}\p{M}\p{N}-]+[.。．｡])+\p{L}[\p{L}\p{M}]+$/u;

const MASK = '***';

const MASKED = /^.?\*\*\*$/u;

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

/** The at signs of a text, asked about from its end to its start. */
type Signs = {
  /** Behind the last one before a place; 0 where there is none. */
  readonly endBefore: (at: number) => number;
  /** Where the first one begins that is not before a place; asked before the ends before what is further back. */
  readonly startFrom: (at: number) => number | undefined;
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
    startFrom: (at) => {
      goTo(at);
      return starts[before];
    },
  };
};

/** Whether an at sign follows behind blanks, or what goes on a local part: `.kumar@`, `."k b"`. */
const isEndOfWord = (text: string, at: number, signs: Signs): boolean => {
  const sign = signs.startFrom(at);
  if (sign === undefined) return false;
  let end = at;
  if (text.charAt(at) === '.') while (end < sign && !DELIMITERS.has(text.charCodeAt(end))) end += 1;
  if (end > at && text.charAt(end) === '"') return true;
  BLANKS.lastIndex = end;
  BLANKS.test(text);
  return sign === BLANKS.lastIndex;
};

/** Where the text in quotes begins whose last one is at a place; -1 where no other quote is before it. */
const quotedFrom = (text: string, end: number, signs: Signs): number => {
  let quote = quoteBefore(text, end);
  // One that ends a local part too may be no beginning of this one: then what it ends is masked with it.
  while (quote !== -1 && isEndOfWord(text, quote + 1, signs)) {
    const further = quoteBefore(text, quote);
    if (further === -1) break;
    quote = further;
  }
  return quote;
};

/** What is asked of a text while its local parts are looked for, from its end to its start. */
type Asked = { readonly signs: Signs; readonly quotes: SpelledQuotes };

/**
 * A local part that ends at a place. Its words may be in quotes, have comments and tags, and points between them
 * (`"asha rao".kumar`, `<b>asha</b>.kumar`): what is in front of such a point is a part of it.
 *
 * A word between two at signs may be the host of an address and, behind any mark that hosts have too, the local part of the
 * next (`asha@x.com-ravi@y.com`), or the local part alone (`@ravi@y.com`): it is masked as a whole, since none of it is
 * surely a host.
 */
const localPart = (text: string, end: number, { signs, quotes }: Asked): Shown => {
  const wordFrom = (until: number): number => wordBefore(text, until, signs.endBefore(until));
  const isQuoted = text.charAt(end - 1) === '"';
  const quote = isQuoted ? quotedFrom(text, end - 1, signs) : -1;
  // What it ends is not there, or was not quoted so: the word before it may be a local part.
  const unpaired = isQuoted && quote === -1 ? '"' : '';
  let until = quote === -1 ? end - unpaired.length : quote;
  let isHidden = quote !== -1;
  let from = wordFrom(until);
  /** Where what is quoted, or a comment, begins that is in front of the word, and a part of what the word is a part of. */
  const openingOfMore = (): number => {
    const spelled = quotes.openingBefore(text, from, until);
    const isGoingOn = text.charAt(from) === '.';
    if (spelled !== -1 || (isGoingOn && text.charAt(from - 1) === '"')) {
      return spelled === -1 ? quotedFrom(text, from - 1, signs) : spelled;
    }
    const comment = commentBefore(text, from, signs.endBefore(from));
    return isGoingOn || text.charAt(comment - 1) === '.' ? comment : -1;
  };
  for (let opening = openingOfMore(); opening !== -1; opening = openingOfMore()) {
    [until, isHidden] = [opening, true];
    from = wordFrom(until);
  }
  return { from, text: maskedLocalPart(text.slice(from, until) + (isHidden ? MASK : '')) + unpaired };
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
const shownBefore = (text: string, at: number, floor: number, isHost: boolean, asked: Asked): Shown => {
  const end = isHost ? withoutBlanks(text, at, floor) : at;
  const comments = isHost ? commentsBefore(text, end, floor) : { from: end, text: '' };
  const part = localPart(text, comments.from, asked);
  return { from: part.from, text: part.text + comments.text + text.slice(end, at) };
};

/**
 * A text whose e-mail addresses show their first character and their host: `a***@example.com`. Payment addresses
 * (`asha@bank`) and handles (`@asha@example.com`) are of the same form and are masked too. A host that another address
 * follows without a blank or a comma is masked with it. What is escaped for HTML is masked as what HTML shows of it
 * (`o&#39;brien@x.com`, `&quot;john doe&quot;@x.com`); what is not masked stays as it is. Takes time linear in the text.
 */
export const withMaskedEmails = (escaped: string): string => {
  const html = unescapedHtml(escaped);
  const { text, placeOf } = unencodedWords(html.text);
  const asWas = (from: number, to: number): string =>
    escaped.slice(html.placeOf(placeOf(from)), html.placeOf(placeOf(to)));
  const found = atSignsIn(text);
  const { starts, ends } = found;
  if (starts.length === 0) return escaped;
  const asked = { signs: askedBackwards(found), quotes: new SpelledQuotes(text) };
  // From the end, since quotes are known by the last of them: what they hold is masked whatever is in it.
  const shown: string[] = [];
  let until = text.length;
  for (let i = starts.length - 1; i >= 0; i -= 1) {
    const start = starts[i] ?? 0;
    const floor = ends[i - 1] ?? 0;
    // Nothing is before most of a run of them, and no piece is made for one with nothing before it.
    if (start >= until || start === floor) continue;
    const isHost = isSurelyHost(text, ends[i] ?? start, starts[i + 1] ?? text.length);
    const masked = shownBefore(text, start, floor, isHost, asked);
    if (masked.from === start) continue;
    shown.push(masked.text + asWas(start, until));
    until = masked.from;
  }
  shown.push(asWas(0, until));
  return shown.toReversed().join('');
};

/** Whether a text is one e-mail address and nothing else. */
export const isEmailAddress = (text: string): boolean => ADDRESS.test(text);
