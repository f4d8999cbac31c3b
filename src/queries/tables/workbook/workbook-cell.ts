/** Digits that a spreadsheet keeps of a number (docs/spec/finance.md, Reports and exports). */
const SIGNIFICANT = 15;

/** Characters that a cell holds at most. */
const LONGEST = 32_767;

const isExact = (text: string): boolean =>
  /^-?\d+(?:\.\d+)?$/.test(text) && text.replace(/^-?[0.]*/, '').replace('.', '').length <= SIGNIFICANT;

/** A text; one that no cell can hold says so and where to find it. */
export const textCell = (text: string): string =>
  text.length > LONGEST ? `(${text.length} characters, more than a cell holds: export csv or ndjson)` : text;

/** An amount or a count: a number where a spreadsheet keeps each of its digits, else a text. */
export const numberCell = (text: string): number | string => (isExact(text) ? Number(text) : textCell(text));
