const OPENING: ReadonlyMap<string, string> = new Map([
  [')', '('],
  [']', '['],
  ['>', '<'],
]);

/** A comment with addresses in it begins this far in front of the last of them at most: a line of mail is no longer (RFC 5322, 2.1.1). */
const LONGEST = 998;

/** Comments and tags that stand in front of a place, and where the first of them begins. */
export type Comments = { readonly from: number; readonly text: string };

/** Where the bracket stands that another one closes; one within is another's. -1 where none does. */
const matching = (text: string, closing: number, floor: number): number => {
  const [close, open] = [text.charAt(closing), OPENING.get(text.charAt(closing))];
  let depth = 1;
  for (let at = closing - 1; at >= floor; at -= 1) {
    const mark = text.charAt(at);
    if (mark === close) depth += 1;
    else if (mark === open && (depth -= 1) === 0) return at;
  }
  return -1;
};

/** Where a comment or a tag begins that ends with the character before a place; -1 where none ends there. */
export const commentBefore = (text: string, end: number, floor: number): number =>
  end > floor && OPENING.has(text.charAt(end - 1)) ? matching(text, end - 1, floor) : -1;

/** A text as far as a place without the blanks that stand there. */
export const withoutBlanks = (text: string, end: number, floor: number): number =>
  floor + text.slice(floor, end).trimEnd().length;

/**
 * The comments and tags that end at a place, with the blanks between them, as they are shown: `(***)` for each. One whose
 * brackets do not match begins at the last that it can.
 *
 * @param floor behind the at sign in front, before which none but a comment begins
 */
export const commentsBefore = (text: string, end: number, floor: number): Comments => {
  const shown: string[] = [];
  let from = end;
  for (;;) {
    const last = text.charAt(from - 1);
    const opening = from > floor ? OPENING.get(last) : undefined;
    if (opening === undefined) break;
    // No tag has an address in it, but for one that is nothing else: `<asha@example.com>`.
    const lowest = opening === '(' ? Math.max(0, floor - LONGEST) : floor;
    const matched = matching(text, from - 1, lowest);
    const bracket = matched === -1 ? floor + text.slice(floor, from).lastIndexOf(opening) : matched;
    if (text.charAt(bracket) !== opening) break;
    const before = withoutBlanks(text, bracket, lowest);
    shown.push(`${text.slice(before, bracket + 1)}***${last}`);
    from = before;
    // What is in front of one that does not match is looked at once: there may be very many.
    if (matched === -1) break;
  }
  return { from, text: shown.toReversed().join('') };
};
