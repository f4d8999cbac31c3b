import { html, type Html } from './html.ts';
import { minorUnits } from '../domain/minor-units.ts';

/** Digits of a group. */
const GROUP = 3;
const fractionOf = (text: string): string => {
  const point = text.indexOf('.');
  return point === -1 ? '' : text.slice(point);
};

/** The longest fraction of a column, the point counted. */
export const fractionWidth = (texts: readonly (string | null)[]): number =>
  Math.max(0, ...texts.map((text) => (text === null ? 0 : fractionOf(text).length)));

/** What fills a fraction up to some digits: `0`, or `.00` where there is none. */
const fillingOf = (fraction: string, digits: number): string => {
  const missing = (digits === 0 ? 0 : digits + 1) - fraction.length;
  if (missing <= 0) return '';
  return fraction === '' ? `.${'0'.repeat(missing - 1)}` : '0'.repeat(missing);
};

/** Whole digits in groups of three, set apart by space alone, so that what is copied is the plain number. */
const grouped = (text: string): Html => {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d*)(.*)$/s.exec(text) ?? [];
  if (whole.length <= GROUP) return html`${text}`;
  const first = whole.length % GROUP === 0 ? GROUP : whole.length % GROUP;
  const groups = whole.slice(first).match(/\d{3}/g) ?? [];
  return html`${sign}${whole.slice(0, first)}${groups.map((digits) => html`<span class="group">${digits}</span>`)}${fraction}`;
};

/**
 * An amount with its digits exactly as they are, never shortened, in a column whose fractions are at most so wide. What it
 * lacks of its currency's smallest unit is shown, and copied by nobody; what it lacks of the column is not even seen. All
 * digits are equally wide.
 *
 * @param minor digits of the smallest unit; 0 for what is no currency
 */
export const amount = (text: string, width = 0, minor = 0): Html => {
  const fraction = fractionOf(text);
  const shown = fillingOf(fraction, minor);
  const unseen = fillingOf(fraction + shown, Math.max(0, width - 1));
  return html`<span class="amount" title="${text}"
    >${grouped(text)}${shown === '' ? null : html`<span class="filling shown" aria-hidden="true">${shown}</span>`}${
      unseen === '' ? null : html`<span class="filling" aria-hidden="true">${unseen}</span>`
    }</span
  >`;
};

/** An amount of money, with its currency's smallest unit at least. */
export const money = (text: string, currency: string, width = 0): Html => amount(text, width, minorUnits(currency));

/** The width that `money` needs in a column: the longest fraction, the smallest units counted, the point counted. */
export const moneyWidth = (amounts: readonly (readonly [amount: string, currency: string])[]): number =>
  Math.max(
    fractionWidth(amounts.map(([text]) => text)),
    ...amounts.map(([, currency]) => (minorUnits(currency) === 0 ? 0 : minorUnits(currency) + 1)),
  );
