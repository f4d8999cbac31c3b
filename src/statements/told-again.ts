import { exactOrd } from '../domain/exact.ts';
import { timesIn, type Contents } from './contents.ts';
import type { CountedPart } from './counted-part.ts';
import type { DayPart } from './day-part.ts';
import type { Turns } from './turns.ts';

const isSame = exactOrd.equals;

const isOfSeveralDays = ({ hasBefore, hasBehind }: DayPart): boolean => hasBefore || hasBehind;

/**
 * Whether two files are two tellings of a day, whatever lies between their balances: both have it from its beginning, or to its end,
 * and one lacks what was added to other days; or both open or close alike, the day or the file, as files do of programs that begin
 * each at nothing. What the bank amended in between is in one of them only.
 */
const isToldTwice = (a: DayPart, b: DayPart): boolean =>
  (a.hasBefore && b.hasBefore) ||
  (a.hasBehind && b.hasBehind) ||
  isSame(a.opening, b.opening) ||
  isSame(a.closing, b.closing) ||
  isSame(a.file.opening, b.file.opening) ||
  isSame(a.file.closing, b.file.closing);

/** For one line that the bank amended in between there are so many others, at least, that it did not. */
const AS_THEY_WERE = 4;

/** Whether one of two parts has nearly all that the other one has. */
const areAlike = async (a: CountedPart, b: CountedPart, both: Contents, turns: Turns): Promise<boolean> => {
  for (const { contents } of [a, b]) {
    let amended = 0;
    for (const [content, { times }] of contents) {
      await turns();
      if (times > timesIn(both, content)) amended += 1;
      if (amended * AS_THEY_WERE > both.size) break;
    }
    if (amended * AS_THEY_WERE <= both.size) return true;
  }
  return false;
};

/**
 * Whether balances within a file may not be the account's. Where a bank sorts its lines by their days, what it dates back moves the
 * balances of other days, in files that do not show it too: so it may be where something is dated back in one of two files, or where
 * one of several days has nearly all that the other one has of the day.
 */
const mayBeMoved = async (a: CountedPart, b: CountedPart, both: Contents, turns: Turns): Promise<boolean> =>
  a.part.datedBackTo.size > 0 ||
  b.part.datedBackTo.size > 0 ||
  ((isOfSeveralDays(a.part) || isOfSeveralDays(b.part)) && (await areAlike(a, b, both, turns)));

/**
 * Whether the balances of two parts of a day say nothing of what they have in common: they are two tellings of it, or moved.
 *
 * @param both what they have in common, at least one line
 */
export const mayBeToldTwice = async (a: CountedPart, b: CountedPart, both: Contents, turns: Turns): Promise<boolean> =>
  isToldTwice(a.part, b.part) || (await mayBeMoved(a, b, both, turns));
