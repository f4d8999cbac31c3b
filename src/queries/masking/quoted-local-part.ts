const QUOTE = '"';

/** How many backslashes stand before a place in a text. */
const backslashesBefore = (text: string, at: number): number => {
  let first = at;
  while (first > 0 && text.charAt(first - 1) === '\\') first -= 1;
  return at - first;
};

/**
 * How often a quote was escaped, by the backslashes before it: each time writes those that were there twice, and adds one
 * (`"`, `\"`, `\\\"`). Pairs of them that stand before it are the text's own, and count for nothing.
 */
const timesEscaped = (backslashes: number): number => {
  let [times, left] = [0, backslashes];
  while (left % 2 === 1) {
    times += 1;
    left = (left - 1) / 2;
  }
  return times;
};

/**
 * Where the quoted text begins that ends with a quote; -1 where no other quote stands before it. What is within is escaped
 * once more, and may be anything: at signs and addresses too. Where each quote before is escaped more often, the first of
 * them is taken, since too little would be hidden behind the last.
 *
 * @param end the place of the quote that ends it
 */
export const quoteBefore = (text: string, end: number): number => {
  const times = timesEscaped(backslashesBefore(text, end));
  let opening = -1;
  let at = end;
  while (at > 0) {
    at = text.lastIndexOf(QUOTE, at - 1);
    if (at === -1) break;
    opening = at;
    if (timesEscaped(backslashesBefore(text, at)) <= times) break;
  }
  return opening;
};
