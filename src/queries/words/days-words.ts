import { madeOnce } from '../../domain/made-once.ts';

/** Days, both inclusive; null: no bound. */
export type Days = { readonly from: string | null; readonly to: string | null };

const dayText = madeOnce(
  () => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }),
);

/** Days in words, the month and the year once: `1 to 31 October 2026`. */
export const daysWords = ({ from, to }: Days): string => {
  if (from === null && to === null) return 'at any time';
  if (from !== null && to !== null) {
    return from === to
      ? dayText().format(Date.parse(from))
      : dayText()
          .formatRange(Date.parse(from), Date.parse(to))
          .replace(/\s?–\s?/, ' to ');
  }
  return from === null
    ? `up to ${dayText().format(Date.parse(to ?? ''))}`
    : `from ${dayText().format(Date.parse(from))} on`;
};
