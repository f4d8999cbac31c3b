/** Fewer characters than these tell nothing any more. */
const LEAST = 10;

/** What stands between two columns. */
export const GAP = 2;

/** An instant, with what may be left out of it from its end: fractions, seconds, the time. The day is always whole. */
const INSTANT = /^(?<day>\d{4}-\d\d-\d\d)(?<minutes>T\d\d:\d\d)(?<seconds>:\d\d)(?:\.\d{1,9})?Z$/;

const shortenedInstant = (text: string, width: number): string | null => {
  const { day, minutes, seconds } = INSTANT.exec(text)?.groups ?? {};
  if (day === undefined || minutes === undefined || seconds === undefined || day.length > width) return null;
  const forms = [text, `${day}${minutes}${seconds}Z`, `${day}${minutes}Z`];
  return forms.find((form) => form.length <= width) ?? day;
};

/** A text whose middle is left out, so that its start and its end tell it apart: `0xdac1…1ec7`; an instant is less exact. */
export const shortened = (text: string, width: number): string => {
  const characters = Array.from(text);
  if (characters.length <= width) return text;
  const instant = shortenedInstant(text, width);
  if (instant !== null) return instant;
  const end = Math.floor((width - 1) / 2);
  return `${characters.slice(0, width - 1 - end).join('')}…${characters.slice(characters.length - end).join('')}`;
};

/** The widest column that may be narrowed; -1 where none may. */
const widestOf = (widths: readonly number[], isText: (column: number) => boolean): number =>
  widths.reduce((widest, width, i) => (isText(i) && width > LEAST && width > (widths[widest] ?? 0) ? i : widest), -1);

/**
 * Rows whose texts are shortened so far that lines fit a width, the widest columns first. Numbers keep all their digits:
 * where nothing else is left to shorten, lines are longer.
 */
export const fittedRows = (
  rows: readonly (readonly string[])[],
  isText: (column: number) => boolean,
  width: number,
): readonly (readonly string[])[] => {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, i) => Math.max(0, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (): number => widths.reduce((sum, one) => sum + one, 0) + GAP * Math.max(0, count - 1);
  for (let widest = widestOf(widths, isText); line() > width && widest !== -1; widest = widestOf(widths, isText)) {
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return rows.map((row) => row.map((cell, i) => (isText(i) ? shortened(cell, widths[i] ?? cell.length) : cell)));
};
