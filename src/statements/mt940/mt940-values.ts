import { parseBusinessDay, type BusinessDay } from '../../domain/business-day.ts';
import type { Decimal } from '../../domain/decimal.ts';
import { plainAmount } from '../amount-text.ts';

/** Years of two digits from 80 on are of the last century. */
const FIRST_OF_OLD_CENTURY = 80;

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/**
 * A day of a year, month and day in digits. 29 and 30 February, which banks that reckon with months of 30 days write, are the
 * month's last day.
 */
const dayOf = (year: number, month: string, day: string): BusinessDay | null => {
  const plain = parseBusinessDay(`${String(year).padStart(4, '0')}-${month}-${day}`);
  if (plain !== null || month !== '02' || (day !== '29' && day !== '30')) return plain;
  return parseBusinessDay(`${String(year)}-02-29`) ?? parseBusinessDay(`${String(year)}-02-28`);
};

/** `YYMMDD`, or `YYYYMMDD`; null for anything else. */
export const mt940Day = (text: string): BusinessDay | null => {
  const match = /^(\d\d|\d{4})(\d\d)(\d\d)$/.exec(text);
  if (match === null) return null;
  const [, years = '', month = '', day = ''] = match;
  const year = Number(years);
  if (years.length === 4) return dayOf(year, month, day);
  return dayOf(year + (year < FIRST_OF_OLD_CENTURY ? 2_000 : 1_900), month, day);
};

/** Six months in days: an entry date further away than that from its value date is of the year beside. */
const HALF_A_YEAR = 183;
const DAY = 86_400_000;

/** `MMDD`, the entry date, in the year in which it is nearest to the value date. */
export const entryDay = (text: string, valueOn: BusinessDay): BusinessDay | null => {
  const year = Number(valueOn.slice(0, 4));
  const near = [year, year - 1, year + 1].flatMap((candidate) => {
    const day = dayOf(candidate, text.slice(0, 2), text.slice(2));
    return day !== null && Math.abs(Date.parse(day) - Date.parse(valueOn)) <= HALF_A_YEAR * DAY ? day : [];
  });
  return near[0] ?? dayOf(year, twoDigits(Number(text.slice(0, 2))), twoDigits(Number(text.slice(2))));
};

/** An amount with a decimal comma, or a point where a bank writes one; leading zeros are no digits of it. */
export const mt940Amount = (text: string): Decimal | null =>
  /^\d*(?:[.,]\d*)?$/.test(text) && /\d/.test(text) ? plainAmount(text.replace(',', '.').replace(/\.$/, '')) : null;
