import { isNegative, type Decimal } from '../../domain/decimal.ts';
import { negative, plainAmount } from '../amount-text.ts';

/** Signs of currencies and their codes, which banks write beside a figure. */
const BEFORE = /^(?:[A-Z]{3}|Rs\.?|\p{Sc})/u;
const BEHIND = /(?:[A-Z]{3}|\p{Sc})$/u;

const withoutCurrency = (text: string): string => text.trim().replace(BEFORE, '').replace(BEHIND, '').trim();

/** What says of a figure whether it is a credit or a debit. */
const MARK = /[\s\d.(](CR|DR)\.?\)?$/i;

/** Blanks of every kind that stand between groups of digits. */
const BLANKS = /[\s'’_]/g;

/** Groups of two or three digits, the last of three: 1,234,567 and 12,34,567. */
const grouped = (separator: string): RegExp =>
  separator === ',' ? /^\d{1,3}(?:,\d{2,3})*,\d{3}$|^\d+$/ : /^\d{1,3}(?:\.\d{2,3})*\.\d{3}$|^\d+$/;

const GROUPED = { ',': grouped(','), '.': grouped('.') };

/**
 * Reads a figure of a bank's table: groups of digits, a sign before or behind it, brackets or `DR` for negative ones, a
 * currency beside it. Null for anything else.
 *
 * @param decimal what stands before the decimals; the other one separates groups
 */
export const tableAmount = (text: string, decimal: '.' | ','): Decimal | null => {
  let rest = text.trim().replaceAll('−', '-');
  let minus = false;
  const marked = MARK.exec(rest);
  if (marked !== null) {
    minus = marked[1]?.toUpperCase() === 'DR';
    rest = rest.slice(0, marked.index + 1).trim();
    if (rest.endsWith('(')) rest = rest.slice(0, -1);
  }
  if (rest.startsWith('(') && rest.endsWith(')')) {
    minus = true;
    rest = rest.slice(1, -1);
  }
  rest = withoutCurrency(rest).replace(BLANKS, '');
  if (/^[+-]|[+-]$/.test(rest)) {
    if (minus) return null;
    minus = rest.includes('-');
    rest = withoutCurrency(rest.replace(/^[+-]|[+-]$/, ''));
  }
  const point = rest.lastIndexOf(decimal);
  const whole = point === -1 ? rest : rest.slice(0, point);
  const fraction = point === -1 ? '' : rest.slice(point + 1);
  const separator = decimal === '.' ? ',' : '.';
  if (!/^\d*$/.test(fraction) || (whole === '' && fraction === '')) return null;
  if (whole !== '' && !GROUPED[separator].test(whole)) return null;
  const amount = plainAmount(
    `${whole === '' ? '0' : whole.replaceAll(separator, '')}${fraction === '' ? '' : `.${fraction}`}`,
  );
  return amount !== null && minus && !isNegative(amount) ? negative(amount) : amount;
};
