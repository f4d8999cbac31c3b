import { parseBusinessDay, type BusinessDay } from '../../domain/business-day.ts';
import { dayBefore } from '../business-days.ts';
import type { FilledTexts } from '../filled-parameters.ts';
import { html, type Html } from '../html.ts';
import { withParameters } from '../links.ts';

/** Stretches of days that people ask for by name. */
export const RANGES = ['yesterday', 'this-month', 'last-month', 'this-quarter', 'last-quarter', 'all'] as const;

export type Range = (typeof RANGES)[number];

const NAMES: Readonly<Record<Range, string>> = {
  yesterday: 'Yesterday',
  'this-month': 'This month',
  'last-month': 'Last month',
  'this-quarter': 'This quarter',
  'last-quarter': 'Last quarter',
  all: 'All time',
};

/** What is shown where nothing is said. */
const USUAL: Range = 'this-month';

const MONTHS_OF_A_QUARTER = 3;

type Days = { readonly from: BusinessDay | null; readonly to: BusinessDay | null };

/** The first day of a month that is so many months away from that of a day. */
const monthFrom = (day: BusinessDay, months: number): BusinessDay => {
  const number = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + months;
  const text = `${String(Math.floor(number / 12)).padStart(4, '0')}-${String((number % 12) + 1).padStart(2, '0')}-01`;
  return parseBusinessDay(text) ?? day;
};

const lastBefore = (next: BusinessDay): BusinessDay => dayBefore(next, 1);

/** The days of a stretch, as of a day. */
export const daysOfRange = (range: Range, today: BusinessDay): Days => {
  const intoQuarter = (Number(today.slice(5, 7)) - 1) % MONTHS_OF_A_QUARTER;
  switch (range) {
    case 'yesterday':
      return { from: dayBefore(today, 1), to: dayBefore(today, 1) };
    case 'this-month':
      return { from: monthFrom(today, 0), to: today };
    case 'last-month':
      return { from: monthFrom(today, -1), to: lastBefore(monthFrom(today, 0)) };
    case 'this-quarter':
      return { from: monthFrom(today, -intoQuarter), to: today };
    case 'last-quarter':
      return {
        from: monthFrom(today, -intoQuarter - MONTHS_OF_A_QUARTER),
        to: lastBefore(monthFrom(today, -intoQuarter)),
      };
    case 'all':
      break;
  }
  return { from: null, to: null };
};

const isRange = (text: string | undefined): text is Range => RANGES.some((range) => range === text);

/** The stretch that the parameters of a page name; null where they name days of their own, or a month. */
export const rangeIn = (texts: FilledTexts): Range | null => {
  if (texts.has('from') || texts.has('to') || texts.has('period')) return null;
  const range = texts.get('range');
  return isRange(range) ? range : USUAL;
};

/** The parameters with the days of the stretch in the place of its name. */
export const withDays = (texts: FilledTexts, today: BusinessDay): FilledTexts => {
  const range = rangeIn(texts);
  const { from, to } = range === null ? { from: null, to: null } : daysOfRange(range, today);
  return new Map([
    ...[...texts].filter(([name]) => name !== 'range'),
    ...(from === null ? [] : [['from', from] as const]),
    ...(to === null ? [] : [['to', to] as const]),
  ]);
};

/** The stretches to choose from, everything else as it is. */
export const rangeLinks = (path: string, texts: FilledTexts): Html => {
  const current = rangeIn(texts);
  const others = Object.fromEntries([...texts].filter(([name]) => !['from', 'to', 'range', 'period'].includes(name)));
  return html`
    <nav class="tabs ranges" aria-label="Days">
      ${RANGES.map((range) => {
        const href = withParameters(path, { ...others, range });
        return range === current
          ? html`<a href="${href}" aria-current="page">${NAMES[range]}</a>`
          : html`<a href="${href}">${NAMES[range]}</a>`;
      })}
    </nav>
  `;
};
