import { parseBusinessDay, type BusinessDay } from '../../domain/business-day.ts';

const ISO = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z?))?$/;

const MIDNIGHT = /^00:00(?::00(?:\.0+)?)?$/;

/**
 * The day of a date as a workbook writes it where it does so by ISO 8601 (ISO/IEC 29500-1, 18.18.11, cells of type `d`). The time
 * of day says nothing of it. A moment of UTC other than its midnight is another day elsewhere, where the bank may be: it is none.
 */
export const isoDay = (text: string): BusinessDay | null => {
  const [, day, time = '', zone = ''] = ISO.exec(text.trim()) ?? [];
  return day === undefined || (zone === 'Z' && !MIDNIGHT.test(time)) ? null : parseBusinessDay(day);
};
