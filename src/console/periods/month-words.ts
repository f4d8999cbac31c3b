import { madeOnce } from '../../domain/made-once.ts';

const monthText = madeOnce(() => new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }));

/** A month as people write it: `March 2026` for `2026-03`. */
export const monthWords = (month: string): string => monthText().format(Date.parse(`${month}-01`));
