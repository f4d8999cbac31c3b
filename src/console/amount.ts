import { html, type Html } from './html.ts';

/** Digits of a group. */
const GROUP = 3;
/** So many are read at a glance. */
const UNGROUPED = 4;

const fractionOf = (text: string): string => {
  const point = text.indexOf('.');
  return point === -1 ? '' : text.slice(point);
};

/** The longest fraction of a column, the point counted. */
export const fractionWidth = (texts: readonly (string | null)[]): number =>
  Math.max(0, ...texts.map((text) => (text === null ? 0 : fractionOf(text).length)));

/** Whole digits in groups of three, set apart by space alone, so that what is copied is the plain number. */
const grouped = (text: string): Html => {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d*)(.*)$/s.exec(text) ?? [];
  if (whole.length <= UNGROUPED) return html`${text}`;
  const first = whole.length % GROUP === 0 ? GROUP : whole.length % GROUP;
  const groups = whole.slice(first).match(/\d{3}/g) ?? [];
  return html`${sign}${whole.slice(0, first)}${groups.map((digits) => html`<span class="group">${digits}</span>`)}${fraction}`;
};

/**
 * An amount with its digits exactly as they are, never shortened, in a column whose fractions are at most so wide. What it
 * lacks is filled with digits that nobody sees, hears or copies; all digits are equally wide.
 */
export const amount = (text: string, width = 0): Html => {
  const fraction = fractionOf(text);
  const missing = width - fraction.length;
  const filling = missing <= 0 ? '' : fraction === '' ? `.${'0'.repeat(missing - 1)}` : '0'.repeat(missing);
  return html`<span class="amount"
    >${grouped(text)}${filling === '' ? null : html`<span class="filling" aria-hidden="true">${filling}</span>`}</span
  >`;
};
