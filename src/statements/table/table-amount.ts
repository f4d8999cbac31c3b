import { isNegative, type Decimal } from '../../domain/decimal.ts';
import type { Direction } from '../../domain/statement-line.ts';
import { negative, plainAmount } from '../amount-text.ts';

/** Signs of currencies and their codes, which banks write beside a figure. */
const BEFORE = /^(?:[A-Z]{3}|Rs\.?|\p{Sc})/u;
const BEHIND = /(?:[A-Z]{3}|\p{Sc})$/u;

/** What is left of a text without the currencies beside it, and those. */
const withoutCurrency = (text: string): readonly [string, readonly string[]] => {
  const whole = text.trim();
  const before = BEFORE.exec(whole)?.[0] ?? '';
  const rest = whole.slice(before.length);
  const behind = BEHIND.exec(rest)?.[0] ?? '';
  return [rest.slice(0, rest.length - behind.length).trim(), [before, behind].filter((written) => written !== '')];
};

/** What says of a figure whether it is a credit or a debit. */
const MARK = /[\s\d.(](CR|DR)\.?\)?$/i;

/** Blanks and the like, one between two groups of digits. Elsewhere they stand between two figures. */
const BLANKS = /(?<=\d)[\p{Zs}'’_](?=\d)/gu;
const GROUPED_BY_BLANKS = /^\d{1,3}(?:[\p{Zs}'’_]\d{2,3})*[\p{Zs}'’_]\d{3}$/u;

/** Groups of two or three digits, the last of three: 1,234,567 and 12,34,567. */
const grouped = (separator: string): RegExp =>
  separator === ',' ? /^\d{1,3}(?:,\d{2,3})*,\d{3}$|^\d+$/ : /^\d{1,3}(?:\.\d{2,3})*\.\d{3}$|^\d+$/;

const GROUPED = { ',': grouped(','), '.': grouped('.') };

/** A figure, and what is written beside it. */
export type TableFigure = {
  readonly amount: Decimal;
  /** What a sign, brackets, `CR` or `DR` say of it; null where there are none. */
  readonly said: Direction | null;
  /** As they are written. */
  readonly currencies: readonly string[];
};

/**
 * Reads a figure of a bank's table: groups of digits, a sign before or behind it, brackets or `DR` for negative ones, a
 * currency beside it. Null for anything else, also where one of these says that it is negative and another one that it is not.
 *
 * @param stated what stands before the decimals, the point where nothing is said; the other one separates groups
 */
export const tableFigure = (text: string, stated: '.' | ',' | null): TableFigure | null => {
  const decimal = stated ?? '.';
  let rest = text.trim().replaceAll('−', '-');
  let said: Direction | null = null;
  const marked = MARK.exec(rest);
  if (marked !== null) {
    said = marked[1]?.toUpperCase() === 'DR' ? 'out' : 'in';
    rest = rest.slice(0, marked.index + 1).trim();
    if (rest.endsWith('(')) rest = rest.slice(0, -1);
  }
  if (rest.startsWith('(') && rest.endsWith(')')) {
    if (said === 'in') return null;
    said = 'out';
    rest = rest.slice(1, -1);
  }
  const [unsigned, outer] = withoutCurrency(rest);
  rest = unsigned;
  let currencies = outer;
  if (/^[+-]|[+-]$/.test(rest)) {
    const sign = rest.includes('-') ? 'out' : 'in';
    if (said === 'out' || (said ?? sign) !== sign) return null;
    said = sign;
    const [figure, inner] = withoutCurrency(rest.replace(/^[+-]|[+-]$/, ''));
    rest = figure;
    currencies = [...outer, ...inner];
  }
  const point = rest.lastIndexOf(decimal);
  const written = point === -1 ? rest : rest.slice(0, point);
  const whole = GROUPED_BY_BLANKS.test(written) ? written.replace(BLANKS, '') : written;
  const fraction = point === -1 ? '' : rest.slice(point + 1);
  const separator = decimal === '.' ? ',' : '.';
  if (!/^\d*$/.test(fraction) || (whole === '' && fraction === '')) return null;
  if (whole !== '' && !GROUPED[separator].test(whole)) return null;
  const amount = plainAmount(
    `${whole === '' ? '0' : whole.replaceAll(separator, '')}${fraction === '' ? '' : `.${fraction}`}`,
  );
  if (amount === null) return null;
  return { amount: said === 'out' && !isNegative(amount) ? negative(amount) : amount, said, currencies };
};
