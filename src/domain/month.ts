import { branded, type Brand } from './brand.ts';
import type { BusinessDay } from './business-day.ts';
import { guardedText } from './guarded.ts';

/** A month of the business calendar, `2026-03`; years 0000 to 9999. Order by time is order by text. */
export type Month = Brand<string, 'Month'>;

const isMonth = (text: string): text is Month => /^\d{4}-(?:0[1-9]|1[0-2])$/.test(text);

/** Exactly YYYY-MM, else null. */
export const parseMonth = (text: string): Month | null => (isMonth(text) ? branded<Month>(text) : null);

export const MonthText = guardedText('month', isMonth);

const FIRST = branded<Month>('0000-01');
const LAST = branded<Month>('9999-12');

/** The month of a business day. */
export const monthOfDay = (day: BusinessDay): Month => branded<Month>(day.slice(0, 7));

const months = (month: Month): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1;

const monthNumbered = (number: number): Month =>
  branded<Month>(`${String(Math.floor(number / 12)).padStart(4, '0')}-${String((number % 12) + 1).padStart(2, '0')}`);

/** The month before; null before the first one. */
export const monthBefore = (month: Month): Month | null => (month === FIRST ? null : monthNumbered(months(month) - 1));

/** The month after; null after the last one. */
export const monthAfter = (month: Month): Month | null => (month === LAST ? null : monthNumbered(months(month) + 1));

export const firstDayOf = (month: Month): BusinessDay => branded<BusinessDay>(`${month}-01`);

export const lastDayOf = (month: Month): BusinessDay => {
  const [year = 0, number = 1] = month.split('-').map(Number);
  // Day 0 of the next month; years below 100 would be taken for the twentieth century.
  const end = new Date(0);
  end.setUTCFullYear(year, number, 0);
  return branded<BusinessDay>(`${month}-${String(end.getUTCDate()).padStart(2, '0')}`);
};
