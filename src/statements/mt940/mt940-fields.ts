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
const BYTE_ORDER_MARK = 0xfeff;

const withoutControls = (line: string): string => {
  let kept = '';
  for (const character of line) {
    const code = character.charCodeAt(0);
    if ((code >= FIRST_TEXT || character === '\t') && code !== BYTE_ORDER_MARK) kept += character;
  }
  return kept;
};

const END = /^-(?:\}.*)?$/;

/** What may stand for the end of a line in files that were carried through other systems. */
const lineTexts = (text: string): readonly string[] =>
  (/^\s*@@:/.test(text) ? text.replaceAll('@@', '\n') : text).split(/\r\n|\n|\r/);

/** `END` is a field of its own: the end of a message. */
export const END_OF_MESSAGE = '-';

/** Tags behind which a message has to go on, since they stand in its middle or at its end. */
const WITHIN = /^:(?:61|62[FM]?|64|65|86):/;

const plainLine = (original: string): string => withoutControls(original).trimEnd();

const withoutEnvelope = (plain: string): string => (plain.startsWith('{') ? plain.replace(ENVELOPE, '') : plain);

/** For each line whether the next tag behind it belongs to the same message, so that a dash before it is text. */
const goingOn = (lines: readonly string[]): readonly boolean[] => {
  const answers: boolean[] = [];
  let isWithin = false;
  for (const plain of lines.toReversed()) {
    answers.push(isWithin);
    const value = withoutEnvelope(plain);
    if (TAG.test(value)) isWithin = WITHIN.test(value);
    else if (value !== plain) isWithin = false;
  }
  return answers.toReversed();
};

/** The fields of a file, in their order. What stands before the first one is left out. */
export const mt940Fields = (text: string): readonly Mt940Field[] => {
  const fields: { tag: string; lines: string[]; line: number }[] = [];
  let open: string[] | null = null;
  const plainLines = lineTexts(text).map(plainLine);
  const goesOn = goingOn(plainLines);
  plainLines.forEach((plain, index) => {
    const value = withoutEnvelope(plain);
    const match = TAG.exec(value);
    if (match !== null) {
      const [, tag = '', rest = ''] = match;
      open = [rest];
      fields.push({ tag, lines: open, line: index + 1 });
    } else if (END.test(value) && goesOn[index] !== true) {
      fields.push({ tag: END_OF_MESSAGE, lines: [], line: index + 1 });
      open = null;
    } else if (value !== plain) {
      open = null;
    } else {
      open?.push(value);
    }
  });
  return fields;
};
