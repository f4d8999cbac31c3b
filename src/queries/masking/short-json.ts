/**
 * Up to this length. A parser that refuses a text makes an error with a stack, which takes as long as to look at some
 * hundred characters: of a longer text that is little for each.
 */
const LONGEST_CHECKED = 64;

const NOWHERE = -1;

const TEXT = /"(?:[ !#-[\]-\uFFFF]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"/y;
const NUMBER_OR_WORD = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?/y;
const BLANK = /[ \t\n\r]/;

const endOf = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : NOWHERE;
};

const behindBlanks = (text: string, at: number): number => {
  let next = at;
  // All other marks of JSON are above a blank.
  while (text.charCodeAt(next) <= 0x20 && BLANK.test(text.charAt(next))) next += 1;
  return next;
};

/** Behind what is within brackets, item by item; `NOWHERE` where it is no JSON. */
const listEnd = (
  text: string,
  opening: number,
  closing: string,
  itemEnd: (text: string, at: number) => number,
): number => {
  let at = behindBlanks(text, opening + 1);
  if (text.charAt(at) === closing) return at + 1;
  for (;;) {
    const end = itemEnd(text, at);
    if (end === NOWHERE) return NOWHERE;
    const mark = behindBlanks(text, end);
    if (text.charAt(mark) === closing) return mark + 1;
    if (text.charAt(mark) !== ',') return NOWHERE;
    at = behindBlanks(text, mark + 1);
  }
};

const memberEnd = (text: string, at: number): number => {
  const name = endOf(TEXT, text, at);
  if (name === NOWHERE) return NOWHERE;
  const colon = behindBlanks(text, name);
  return text.charAt(colon) === ':' ? valueEnd(text, behindBlanks(text, colon + 1)) : NOWHERE;
};

const valueEnd = (text: string, at: number): number => {
  switch (text.charAt(at)) {
    case '{':
      return listEnd(text, at, '}', memberEnd);
    case '[':
      return listEnd(text, at, ']', valueEnd);
    case '"':
      return endOf(TEXT, text, at);
    default:
      return endOf(NUMBER_OR_WORD, text, at);
  }
};

/**
 * Whether a text is short and no JSON, told without an error: a body may hold tens of thousands of texts that begin like
 * JSON, and to have the parser refuse each holds a thread ten times as long as all else that masks them.
 */
export const isShortAndNoJson = (text: string): boolean => {
  if (text.length > LONGEST_CHECKED) return false;
  const end = valueEnd(text, behindBlanks(text, 0));
  return end === NOWHERE || behindBlanks(text, end) !== text.length;
};
