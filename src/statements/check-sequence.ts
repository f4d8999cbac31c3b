import type { Decimal } from '../domain/decimal.ts';
import { normalised } from '../domain/decimal.ts';
import type { ReadStatement } from './read-statement.ts';
import { unreadable, type StatementUnreadable } from './unreadable.ts';

const ofAccount = ({ account, currency }: ReadStatement): string => JSON.stringify([account, currency]);

const figure = (balance: Decimal | null): string | null => (balance === null ? null : normalised(balance));

/** What a statement with lines says, in one spelling; null for one that has no lines or no balance. */
const contentOf = ({ from, to, opening, closing, lines }: ReadStatement): string | null =>
  lines.length === 0 || (opening === null && closing === null)
    ? null
    : JSON.stringify([from, to, figure(opening), figure(closing), lines]);

/** How many statements open with what no other one closed with; null where one lacks a balance. */
const beginnings = (statements: readonly ReadStatement[]): number | null => {
  const closings = new Map<string, number>();
  for (const { closing } of statements) {
    const text = figure(closing);
    if (text === null) return null;
    closings.set(text, (closings.get(text) ?? 0) + 1);
  }
  let unmatched = 0;
  for (const { opening } of statements) {
    const text = figure(opening);
    if (text === null) return null;
    const left = closings.get(text) ?? 0;
    if (left === 0) unmatched += 1;
    else closings.set(text, left - 1);
  }
  return unmatched;
};

/**
 * The refusal of a file whose statements of one account do not follow one another, in whichever order they stand; null where
 * they do, or say too little. Each may be right by itself while one of them is there twice, and all its bookings with it, or
 * one between them is missing.
 */
export const checkSequence = (statements: readonly ReadStatement[]): StatementUnreadable | null => {
  for (const its of Map.groupBy(statements, ofAccount).values()) {
    if (its.length < 2) continue;
    const account = its[0]?.account ?? '';
    const contents = its.flatMap((statement) => contentOf(statement) ?? []);
    if (new Set(contents).size < contents.length)
      return unreadable(null, 'statement', `a statement of the account ${account} is there twice`);
    if ((beginnings(its) ?? 0) > 1)
      return unreadable(
        null,
        'balance',
        `the statements of the account ${account} do not follow one another: one is missing, or two are of the same bookings`,
      );
  }
  return null;
};
