import type { BusinessDay } from '../domain/business-day.ts';
import { exactOf, exactOrd, plus, ZERO, type Exact } from '../domain/exact.ts';
import type { Sha256 } from '../domain/ids.ts';
import type { StatementAccount } from '../domain/own-event/statement-events.ts';
import type { UnnamedLine } from '../domain/statement-line.ts';
import { signed } from './check-balances.ts';
import type { DayPart } from './day-part.ts';
import { contentDigest } from './line-ids.ts';
import type { Turns } from './turns.ts';

/** What is said of a line where only its place among the bookings of its account matters. */
export type PartLine = Pick<UnnamedLine, 'index' | 'bookedOn' | 'amount' | 'direction'> & {
  readonly content: Sha256;
};

/**
 * A file's lines of one account between two balances that they add up to: a part of all the bookings of the account. Of each
 * day that may be in it by half, what it shows of that day.
 */
export type AccountPart = ReadonlyMap<BusinessDay, DayPart>;

export const partLine = (line: UnnamedLine): PartLine => ({
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
 * @param turns others have theirs in between: there may be some hundred thousand lines
 */
export const accountPart = async (
  said: StatementAccount,
  lines: readonly PartLine[],
  turns: Turns,
): Promise<AccountPart | null> => {
  if (said.opening === null || said.closing === null) return null;
  const days = new Map<
    BusinessDay,
    { change: Exact; readonly datedBackTo: Set<BusinessDay>; readonly booked: DayPart['booked'][number][] }
  >();
  // What is dated back stands where it was booked: balances go on there.
  let stands = said.from;
  for (const line of inTime(lines)) {
    await turns();
    if (stands === null || line.bookedOn > stands) stands = line.bookedOn;
    const change = signed(line);
    const day = days.get(stands) ?? { change: ZERO, datedBackTo: new Set(), booked: [] };
    days.set(stands, day);
    day.change = plus(day.change, change);
    if (line.bookedOn !== stands) day.datedBackTo.add(line.bookedOn);
    day.booked.push({ content: line.content, change });
  }
  const parts = new Map<BusinessDay, DayPart>();
  const { from, to, page = null } = said;
  const file = { opening: exactOf(said.opening), closing: exactOf(said.closing), from, to, page };
  let { opening } = file;
  for (const [at, [day, { change, datedBackTo, booked }]] of [...days].entries()) {
    const closing = plus(opening, change);
    const [hasBefore, hasBehind] = [at > 0, at < days.size - 1];
    if (mayHaveByHalf(said, day)) parts.set(day, { opening, closing, booked, datedBackTo, file, hasBefore, hasBehind });
    opening = closing;
  }
  return exactOrd.equals(opening, file.closing) ? parts : null;
};
