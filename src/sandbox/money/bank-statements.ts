import { Big } from 'big.js';
import { branded } from '../../domain/brand.ts';
import type { BusinessDay } from '../../domain/business-day.ts';
import type { Random } from '../random.ts';
import { randomDigits } from '../random-ids.ts';
import { laterDay, type BankEntry } from './bank-entry.ts';

/** How much one statement is of. */
export const STATEMENT_SPANS = ['day', 'month'] as const;

export type StatementSpan = (typeof STATEMENT_SPANS)[number];

/** A statement of one account, whose lines come to what it closes with. */
export type BankStatement = {
  /** `2026-03` or `2026-03-17` */
  readonly period: string;
  readonly account: string;
  readonly currency: string;
  readonly from: BusinessDay;
  readonly to: BusinessDay;
  readonly opening: Big;
  readonly closing: Big;
  readonly lines: readonly BankEntry[];
};

/** What each account had before the first line. */
const OPENING = new Big(5_000_000);
const ACCOUNT_DIGITS = 12;

const periodOf = (day: BusinessDay, span: StatementSpan): string => (span === 'month' ? day.slice(0, 7) : day);

const lastDayOf = (month: string): BusinessDay => {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return branded<BusinessDay>(new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10));
};

const daysOf = (period: string, span: StatementSpan): { readonly from: BusinessDay; readonly to: BusinessDay } => {
  const from = branded<BusinessDay>(span === 'month' ? `${period}-01` : period);
  return { from, to: span === 'month' ? lastDayOf(period) : from };
};

/** Every period from one day to another. */
const periodsBetween = (first: BusinessDay, last: BusinessDay, span: StatementSpan): readonly string[] => {
  const periods: string[] = [];
  for (let day = first; day <= last;) {
    const period = periodOf(day, span);
    periods.push(period);
    day = laterDay(daysOf(period, span).to, 1);
  }
  return periods;
};

const sum = (lines: readonly BankEntry[]): Big =>
  lines.reduce(
    (total, { direction, amount }) => (direction === 'in' ? total.plus(amount) : total.minus(amount)),
    new Big(0),
  );

/**
 * The statements of each account up to a day, one for each period without a gap, by currency and time. Every currency has
 * one account.
 */
export const bankStatements = (
  entries: readonly BankEntry[],
  { span, through, random }: { readonly span: StatementSpan; readonly through: BusinessDay; readonly random: Random },
): readonly BankStatement[] => {
  const booked = entries.filter(({ bookedOn }) => bookedOn <= through);
  const accounts = [...Map.groupBy(booked, ({ currency }) => currency)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return accounts.flatMap(([currency, its]) => {
    const account = randomDigits(random.derived(`account/${currency}`), ACCOUNT_DIGITS);
    const sorted = its.toSorted((a, b) => (a.bookedOn < b.bookedOn ? -1 : a.bookedOn > b.bookedOn ? 1 : 0));
    const first = sorted[0]?.bookedOn ?? through;
    let opening = OPENING;
    return periodsBetween(first, through, span).map((period): BankStatement => {
      const { from, to } = daysOf(period, span);
      const lines = sorted.filter(({ bookedOn }) => from <= bookedOn && bookedOn <= to);
      const closing = opening.plus(sum(lines));
      const statement = { period, account, currency, from, to: to < through ? to : through, opening, closing, lines };
      opening = closing;
      return statement;
    });
  });
};
