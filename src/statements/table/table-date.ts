import { parseBusinessDay, type BusinessDay } from '../../domain/business-day.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Behind a date a time may stand, which says nothing of the day. */
const TIME = /^[T ,]{1,3}\d{1,2}[:.]\d\d/;

/** What is written for a part of a date, at the start of a text; `short`: one digit is enough for a day or a month. */
const writtenPart = (part: string, text: string, short: boolean): string | null => {
  if (part === 'yyyy') return /^\d{4}/.exec(text)?.[0] ?? null;
  if (part === 'yy') return /^\d\d/.exec(text)?.[0] ?? null;
  if (part === 'mmm') return /^[A-Za-z]{3,9}/.exec(text)?.[0] ?? null;
  return (short ? /^\d{1,2}/ : /^\d\d/).exec(text)?.[0] ?? null;
};

const monthNumber = (text: string): number =>
  /^\d/.test(text) ? Number(text) : MONTHS.indexOf(text.slice(0, 3).toLowerCase()) + 1;

/** A reader of dates in one format. */
export type DateReader = (text: string) => BusinessDay | null;

/**
 * The reader of a format made of `dd`, `mm` and `yyyy` (also `yy` and `mmm`, the English name); null for a format that lacks a
 * part. One digit is enough for a day or a month where something stands between the parts.
 */
export const dateReader = (format: string): DateReader | null => {
  const tokens = format
    .trim()
    .toLowerCase()
    .split(/(yyyy|yy|mmm|mm|dd)/);
  const kinds = tokens.filter((_, at) => at % 2 === 1).map((token) => token.charAt(0));
  if (kinds.toSorted().join('') !== 'dmy') return null;
  const apart = tokens.slice(1, -1).every((token) => token !== '');
  return (text) => {
    let rest = text.trim();
    const parts = new Map<string, string>();
    for (const [at, token] of tokens.entries()) {
      const isPart = at % 2 === 1;
      const written = isPart ? writtenPart(token, rest, apart) : token;
      if (written === null || !rest.toLowerCase().startsWith(written.toLowerCase())) return null;
      if (isPart) parts.set(token.charAt(0), written);
      rest = rest.slice(written.length);
    }
    if (rest !== '' && !TIME.test(rest)) return null;
    const [year = '', month = '', day = ''] = ['y', 'm', 'd'].map((kind) => parts.get(kind));
    const full = year.length === 2 ? `20${year}` : year;
    return parseBusinessDay(`${full}-${String(monthNumber(month)).padStart(2, '0')}-${day.padStart(2, '0')}`);
  };
};
