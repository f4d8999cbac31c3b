import { branded, type Brand } from './brand.ts';
import { guardedText } from './guarded.ts';

/** A month of the business calendar, `2026-03`; years 0000 to 9999. Order by time is order by text. */
export type Month = Brand<string, 'Month'>;

const isMonth = (text: string): text is Month => /^\d{4}-(?:0[1-9]|1[0-2])$/.test(text);

/** Exactly YYYY-MM, else null. */
export const parseMonth = (text: string): Month | null => (isMonth(text) ? branded<Month>(text) : null);

export const MonthText = guardedText('month', isMonth);
