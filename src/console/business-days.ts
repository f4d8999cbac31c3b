import { parseBusinessDay, type BusinessDay } from '../domain/business-day.ts';

const DAY = 86_400_000;

const numberOf = (day: string): number => Date.parse(`${day}T00:00:00.000Z`) / DAY;

const dayNumbered = (number: number): BusinessDay | null =>
  parseBusinessDay(new Date(number * DAY).toISOString().slice(0, 10));

/** The day so many days before another; the first day of all where there is none. */
export const dayBefore = (day: BusinessDay, days: number): BusinessDay => dayNumbered(numberOf(day) - days) ?? day;

/** Every day from one to another, both inclusive; null where these are more than `most`. */
export const daysFrom = (first: string, last: string, most: number): readonly string[] | null => {
  const count = numberOf(last) - numberOf(first) + 1;
  if (!(count <= most)) return null;
  return Array.from({ length: Math.max(0, count) }, (_, i) => dayNumbered(numberOf(first) + i) ?? '');
};

const monthNumber = (month: string): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1;

/** Every month `2026-01` from one to another, both inclusive; null where these are more than `most`. */
export const monthsFrom = (first: string, last: string, most: number): readonly string[] | null => {
  const count = monthNumber(last) - monthNumber(first) + 1;
  if (!(count <= most)) return null;
  return Array.from({ length: Math.max(0, count) }, (_, i) => {
    const number = monthNumber(first) + i;
    return `${String(Math.floor(number / 12)).padStart(4, '0')}-${String((number % 12) + 1).padStart(2, '0')}`;
  });
};
