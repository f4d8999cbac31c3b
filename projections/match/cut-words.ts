import { wordsOf } from './words.ts';

/** UPI has 12 digits, IMPS 12 to 16. */
const DIGITS = /^\d{12,16}$/;
/** NEFT and RTGS have 16 to 22 letters and digits, most of them digits, behind the name of the bank. */
const NAMED = /^(?=(?:[A-Za-z]*\d){9})[A-Za-z]{0,6}\d[A-Za-z\d]+$/;
const SHORTEST_NAMED = 16;
const LONGEST = 22;

/** Each form has so many. */
const FEWEST_DIGITS = 9;

/** Whether a text has as many digits as a utr, and a blank: most have not, and are asked for no more. */
const mayHaveCut = (text: string): boolean => {
  let digits = 0;
  for (let at = 0; at < text.length && digits < FEWEST_DIGITS; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= 48 && unit <= 57) digits += 1;
  }
  return digits === FEWEST_DIGITS && /\s/.test(text);
};

/** Of how many pieces one may be. */
const MOST_PIECES = 3;

const mayBeUtr = (word: string): boolean =>
  word.length <= LONGEST && (DIGITS.test(word) || (word.length >= SHORTEST_NAMED && NAMED.test(word)));

/** The way of a payment, which banks write right before its utr, has five letters at most. */
const LONGEST_WAY = 5;
const DIGITS_BEHIND_WAY = /^[A-Za-z]{1,5}\d{12,16}$/;
const NAMED_BEHIND_WAY = /^(?=(?:[A-Za-z]*\d){9})[A-Za-z]{5,11}\d[A-Za-z\d]+$/;

const mayBeBehindWay = (word: string): boolean =>
  DIGITS_BEHIND_WAY.test(word) || (word.length > SHORTEST_NAMED && NAMED_BEHIND_WAY.test(word));

const PIECE = /^[A-Za-z\d]+$/;

const pieceOf = (word: string | undefined): string => (word !== undefined && PIECE.test(word) ? word : '');

/** The letters and digits that a part of a text ends with, and begins with. */
const tailOf = (part: string): string => (/[A-Za-z\d]$/.test(part) ? pieceOf(wordsOf(part).at(-1)) : '');
const headOf = (part: string): string => (/^[A-Za-z\d]/.test(part) ? pieceOf(wordsOf(part)[0]) : '');

/** Two or three pieces with nothing but blanks between them, put together. */
type Joined = {
  readonly word: string;
  /** Whether each piece has a digit: a word of letters before a number is mostly no part of it. */
  readonly isLikely: boolean;
};

const joinedPieces = (text: string): readonly Joined[] => {
  if (!mayHaveCut(text)) return [];
  const parts = text.split(/\s+/);
  const found: Joined[] = [];
  for (const [at, part] of parts.entries()) {
    if (at + 1 === parts.length) break;
    let word = tailOf(part);
    let isLikely = /\d/.test(word);
    for (let next = at + 1; word !== '' && next < Math.min(parts.length, at + MOST_PIECES); next += 1) {
      const beside = parts[next] ?? '';
      const piece = headOf(beside);
      word += piece;
      if (piece === '' || word.length > LONGEST_WAY + LONGEST) break;
      isLikely &&= /\d/.test(piece);
      found.push({ word, isLikely });
      // What stands behind a mark is no part of it any more.
      if (piece.length < beside.length) break;
    }
  }
  return found;
};

/**
 * Words that blanks may have cut: banks wrap what they say at the width of their fields, so that a utr becomes two. Only what
 * has the form of a utr is answered; it is one where an order has exactly it.
 */
export const cutWords = (text: string): readonly string[] =>
  joinedPieces(text).flatMap(({ word }) => (mayBeUtr(word) ? [word] : []));

/** Those of them that are likely one, whoever's it is, also behind the way of the payment: `UTR41234567 8901`. */
export const cutKeys = (text: string): readonly string[] =>
  joinedPieces(text).flatMap(({ word, isLikely }) =>
    isLikely && (mayBeUtr(word) || mayBeBehindWay(word)) ? [word] : [],
  );
