import type { BusinessDay } from '../domain/business-day.ts';
import { exactOf, exactOrd, plainText, plus } from '../domain/exact.ts';
import type { Sha256 } from '../domain/ids.ts';
import type { StatementAccount } from '../domain/own-event/statement-events.ts';
import type { StatementLine } from '../domain/statement-line.ts';
import { signed } from './check-balances.ts';
import { contentDigest } from './line-ids.ts';

/** What is said of a line where only its place among the bookings of its account matters. */
export type PartLine = Pick<StatementLine, 'index' | 'bookedOn' | 'amount' | 'direction'> & {
  readonly content: Sha256;
};

/** A file's lines of one account between two balances that they add up to: a part of all the bookings of the account. */
export type AccountPart = {
  readonly opening: string;
  readonly closing: string;
  /** How often it has each content. */
  readonly counts: ReadonlyMap<Sha256, number>;
  /**
   * The places of the contents of days that may be in the part by half: what the account had before each, and how many equal
   * ones of that balance came before it in the part.
   */
  readonly places: ReadonlyMap<Sha256, ReadonlySet<string>>;
};

export const partLine = (line: StatementLine): PartLine => ({
  index: line.index,
  bookedOn: line.bookedOn,
  amount: line.amount,
  direction: line.direction,
  content: contentDigest(line),
});

/** Whether a file may have a day by half: one strictly between its first and its last day is in it whole. */
export const mayHaveByHalf = ({ from, to, coveredFrom, coveredTo }: StatementAccount, day: BusinessDay): boolean => {
  const [first, last] = [from ?? coveredFrom, to ?? coveredTo];
  return first === null || last === null || day <= first || day >= last;
};

/** Whether an account of a file says what it had before and behind its lines. */
export const hasBalances = ({ opening, closing }: StatementAccount): boolean => opening !== null && closing !== null;

/** Oldest first: some banks list the last booking first. */
const inTime = (lines: readonly PartLine[]): readonly PartLine[] =>
  (lines[0]?.bookedOn ?? '') > (lines.at(-1)?.bookedOn ?? '') ? lines.toReversed() : lines;

/**
 * The part of an account that a file shows; null where it has not both balances, or they are not those of its lines.
 *
 * @param lines those of the account, in the order of the file
 */
export const accountPart = (said: StatementAccount, lines: readonly PartLine[]): AccountPart | null => {
  if (said.opening === null || said.closing === null) return null;
  const counts = new Map<Sha256, number>();
  const places = new Map<Sha256, Set<string>>();
  const equals = new Map<string, number>();
  let balance = exactOf(said.opening);
  for (const line of inTime(lines)) {
    const { content } = line;
    counts.set(content, (counts.get(content) ?? 0) + 1);
    if (mayHaveByHalf(said, line.bookedOn)) {
      const its = places.get(content) ?? new Set<string>();
      places.set(content, its);
      const place = `${content} ${plainText(balance)}`;
      const equal = equals.get(place) ?? 0;
      equals.set(place, equal + 1);
      its.add(`${place} ${equal}`);
    }
    balance = plus(balance, signed(line));
  }
  const [opening, closing] = [plainText(exactOf(said.opening)), plainText(exactOf(said.closing))];
  return exactOrd.equals(balance, exactOf(said.closing)) ? { opening, closing, counts, places } : null;
};
