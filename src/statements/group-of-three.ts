import { minorUnits } from '../domain/minor-units.ts';
import type { CurrencyCode } from '../domain/statement-line.ts';

/** Digits that stand between two separators of groups, as 234 in 1,234. */
const GROUP = 3;

/**
 * Whether what was read as decimals may have been a group of digits: 1.234 is a thousand times as much where the point
 * separates groups. Nothing says so of a currency that has three decimals, nor of 0.234 and 1234.567.
 *
 * @param figure digits with a point before the decimals
 */
export const mayBeGroup = (figure: string, currency: CurrencyCode): boolean =>
  minorUnits(currency) !== GROUP && /^[+-]?[1-9]\d{0,2}\.\d{3}$/.test(figure);
