/** A field of an MT940 message: its tag and what stands behind it, with the line of the file that it begins on, from 1. */
export type Mt940Field = {
  readonly tag: string;
  /** The lines of its value, blanks at their ends cut off; the first stands behind the tag. */
  readonly lines: readonly string[];
  readonly line: number;
};

/** The tags of MT940 and its relatives. Text of a field that looks like another tag stays text. */
const TAG = /^:(20|21|25P?|28C?|60[FM]?|61|62[FM]?|64|65|86|13D?|34F|90[CD]|NS|940):(.*)$/;

/**
 * Blocks of the envelope around a message, and the control characters of old transmissions. Block 3 has some ten parts; without
 * end, a line of millions of them would be more than a regular expression can go back over.
 */
const ENVELOPE = /^\{1:[^{}]*\}(?:\{2:[^{}]*\})?(?:\{3:(?:\{[^{}]*\}){0,100}\})?(?:\{4:)?|^\{[245]:[^{}]*\}?|^\{4:/;

/** Old transmissions put control characters around messages; of them only the tab and the ends of lines are text. */
const FIRST_TEXT = 0x20;
const TAB_STOP = 0x09;
const BYTE_ORDER_MARK = 0xfeff;

const isText = (code: number): boolean => (code >= FIRST_TEXT || code === TAB_STOP) && code !== BYTE_ORDER_MARK;

/** Hardly any line has one. */
const hasControls = (line: string): boolean => {
  for (let at = 0; at < line.length; at += 1) if (!isText(line.charCodeAt(at))) return true;
  return false;
};

const withoutControls = (line: string): string => {
  if (!hasControls(line)) return line;
  let kept = '';
  for (const character of line) if (isText(character.charCodeAt(0))) kept += character;
  return kept;
};

const END = /^-(?:\}.*)?$/;

/** What may stand for the end of a line in files that were carried through other systems. */
const withLineEnds = (text: string): string => (/^\s*@@:/.test(text) ? text.replaceAll('@@', '\n') : text);

const LINE_END = /\r\n|\n|\r/g;

/** The lines of a text without what is no text in them, one by one: there may be millions. */
function* plainLines(text: string): Generator<string, void> {
  let from = 0;
  for (const { 0: end, index } of text.matchAll(LINE_END)) {
    yield plainLine(text.slice(from, index));
    from = index + end.length;
  }
  yield plainLine(text.slice(from));
}

/** `END` is a field of its own: the end of a message. */
export const END_OF_MESSAGE = '-';

/** Tags behind which a message has to go on, since they stand in its middle or at its end. */
const WITHIN = /^:(?:61|62[FM]?|64|65|86):/;

const plainLine = (original: string): string => withoutControls(original).trimEnd();

const withoutEnvelope = (plain: string): string => (plain.startsWith('{') ? plain.replace(ENVELOPE, '') : plain);

/** The dashes in a text, by the numbers of their lines from 0, behind which the next tag belongs to the same message: they are text. */
const dashesWithin = (text: string): ReadonlySet<number> => {
  const within = new Set<number>();
  let open: number[] = [];
  let index = 0;
  for (const plain of plainLines(text)) {
    const value = withoutEnvelope(plain);
    const isTag = TAG.test(value);
    if (isTag || value !== plain) {
      if (isTag && WITHIN.test(value)) for (const dash of open) within.add(dash);
      open = [];
    }
    if (END.test(value)) open.push(index);
    index += 1;
  }
  return within;
};

/** The fields of a file, one by one in their order. What stands before the first one is left out. */
export function* mt940Fields(file: string): Generator<Mt940Field, void> {
  const text = withLineEnds(file);
  const within = dashesWithin(text);
  let open: { tag: string; lines: string[]; line: number } | null = null;
  let line = 0;
  for (const plain of plainLines(text)) {
    line += 1;
    const value = withoutEnvelope(plain);
    const [, tag, rest = ''] = TAG.exec(value) ?? [];
    const isEnd = tag === undefined && END.test(value) && !within.has(line - 1);
    if (tag === undefined && !isEnd && value === plain) {
      open?.lines.push(value);
      continue;
    }
    if (open !== null) yield open;
    open = tag === undefined ? null : { tag, lines: [rest], line };
    if (isEnd) yield { tag: END_OF_MESSAGE, lines: [], line };
  }
  if (open !== null) yield open;
}
