import type { Direction } from '../../domain/statement-line.ts';

/** What the format of a number writes beside it: `CR` or `DR`; `unclear`: it may be either, or stands beside a minus. */
export type NumberMark = Direction | 'unclear' | null;

/** Whether a workbook's styles have a format that may write `CR` or `DR`; only then are the formats of cells looked at. */
export const mayMark = (styles: string): boolean =>
  (styles.match(/formatCode=(?:"[^"]*"|'[^']*')/g) ?? []).some((code) => /[cd]\\?r/i.test(code.slice(11)));

/** What a part of a format writes as it stands, blanks standing for all else. */
const literalsOf = (section: string): string => {
  let [written, isQuoted] = ['', false];
  for (let at = 0; at < section.length; at += 1) {
    const character = section.charAt(at);
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) written += character;
    else if (character === '\\') written += section.charAt((at += 1));
    else written += ' ';
  }
  return written;
};

/** The parts of a format: for positive numbers, negative ones and zero. */
const sectionsOf = (format: string): readonly string[] => format.match(/(?:"[^"]*"|\\.|[^;"\\])+/g) ?? [];

const markIn = (section: string): NumberMark => {
  const words: readonly string[] =
    literalsOf(section)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const [isIn, isOut] = [words.includes('cr'), words.includes('dr')];
  if (isIn && isOut) return 'unclear';
  return isIn ? 'in' : isOut ? 'out' : null;
};

/**
 * What a number's format writes beside it, which people see and the number does not say: programs of accounts write debits as
 * positive numbers of the format `0.00" Dr"`.
 */
export const numberMark = (format: string, isBelowZero: boolean): NumberMark => {
  const sections = sectionsOf(format);
  const marks = new Set(sections.map(markIn));
  if (marks.size === 1 && marks.has(null)) return null;
  // Which part is meant is said by a condition, or a minus is written beside the mark.
  if (/\[[<>=]/.test(format) || (isBelowZero && sections.length === 1)) return 'unclear';
  return markIn(sections[isBelowZero ? 1 : 0] ?? '');
};
