import { parseBusinessDay } from '../../domain/business-day.ts';
import { firstDayOf, lastDayOf, monthOfDay } from '../../domain/month.ts';
import type { Days } from './days-words.ts';

/** Days as parts of a file's name: `2026-10` for a whole month, `from-2026-10-05`, `to-2026-10-12`. */
export const daysInName = ({ from, to }: Days): readonly string[] => {
  const first = from === null ? null : parseBusinessDay(from);
  const month = first === null ? null : monthOfDay(first);
  if (month !== null && from === firstDayOf(month) && to === lastDayOf(month)) return [month];
  return [...(from === null ? [] : [`from-${from}`]), ...(to === null ? [] : [`to-${to}`])];
};
