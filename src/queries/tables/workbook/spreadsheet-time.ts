import type { Calendar } from '../../../domain/business-day.ts';
import { parseInstant } from '../../../domain/instant.ts';
import type { Cell } from './sheet.ts';

/** What a spreadsheet can show as a moment, to the millisecond: from 1901 on. */
const DATED = /^(?:19(?:0[1-9]|[1-9]\d)|[2-9]\d{3})-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The number of 1 January 1970. */
const EPOCH_DAY = 25_569;
const DAY = 86_400_000;

/**
 * A moment as the number that a spreadsheet counts it by, days with their fraction, as a clock of the zone shows it. What
 * it cannot show stays the text that it is, which ends in `Z`.
 */
export const spreadsheetTime =
  ({ wallClock }: Pick<Calendar, 'wallClock'>) =>
  (text: string): Cell => {
    const instant = DATED.test(text) ? parseInstant(text) : null;
    return instant === null ? text : EPOCH_DAY + wallClock(instant) / DAY;
  };
