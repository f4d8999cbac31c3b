import { parseBusinessDay, type BusinessDay } from '../../../domain/business-day.ts';

/** Before every day of the match's rows, where no first one is asked for. */
export const FIRST_DAY = '';

/** Behind every day of the match's rows, where no last one is asked for. */
export const LAST_DAY = '9999-12-31';

/** The day of a row of the match. Throws where it is damaged. */
export const dayOf = (text: string): BusinessDay => {
  const day = parseBusinessDay(text);
  if (day === null) throw new Error('a day of the match is damaged; run "ramp-ledger replay"');
  return day;
};
