import { exactOrd, minus, plainText, type Exact } from '../domain/exact.ts';
import type { Sha256 } from '../domain/ids.ts';
import type { IsBehind } from './chained-files.ts';
import { inCommon, isAmong, timesIn, without } from './contents.ts';
import type { CountedPart } from './counted-part.ts';
import type { DayPart } from './day-part.ts';
import { standBehind } from './listing.ts';
import { areOtherPages } from './other-pages.ts';
import { mayBeToldTwice } from './told-again.ts';
import type { Turns } from './turns.ts';
import { comesTo, waysToComeTo } from './ways-to-sum.ts';

/** What two parts of a day may have in common. */
export type SharedBookings = {
  /** How often they may have a content in common at the most. */
  readonly timesAtMost: (content: Sha256) => number;
  /** Whether balances leave one choice of what that is, so that places can tell which lines these are. */
  readonly isKnown: boolean;
};

const isSame = exactOrd.equals;

/** Whether one of two files goes on behind the other one. */
type GoesOn = () => Promise<boolean>;

/**
 * Whether all of a part may be in the midst of another one, whose other bookings come to what lies before it: as some file of the day
 * lists them, or by any choice. Where these are too many to tell, as of a long day, where nearly every balance is such a sum, it may be,
 * unless one of the two goes on behind the other one.
 */
const mayBeWithin = async (
  { part, contents }: CountedPart,
  whole: CountedPart,
  oneGoesOn: GoesOn,
  turns: Turns,
): Promise<boolean> => {
  const { opening, closing } = whole.part;
  if (isSame(part.opening, opening) || isSame(part.closing, closing)) return false;
  if (!(await isAmong(contents, whole.contents, turns))) return false;
  // What is listed before it is a choice that comes to it: no other one has to be looked for.
  if (await standBehind(whole.listings, part.opening, contents, turns)) return true;
  const rest = await without(whole.contents, contents, turns);
  return (await comesTo(rest, minus(part.opening, opening), turns)) ?? !(await oneGoesOn());
};

/** The end of a part and the beginning of another one, by balances of the day itself or by others at the ends of the files. */
type Between = { readonly end: Exact; readonly begin: Exact; readonly isOfDay: boolean };

/**
 * Between which balances bookings may lie that a part ends with and another one begins with: those of the day, and those at the ends
 * of the files, where these are not the same. What stands before a part in its file may have been booked later and dated back, and
 * what stands behind it earlier.
 */
const leadingInto = (part: DayPart, next: DayPart): readonly Between[] => {
  const ends = new Map([part.closing, part.file.closing].map((end) => [plainText(end), end]));
  const begins = new Map([next.opening, next.file.opening].map((begin) => [plainText(begin), begin]));
  return [...ends.values()].flatMap((end) =>
    [...begins.values()].map((begin) => ({
      end,
      begin,
      isOfDay: isSame(end, part.closing) && isSame(begin, next.opening),
    })),
  );
};

/**
 * What two parts of a day may have in common, in whatever order each lists its own: their balances were the account's, and what they
 * have in common lies between these. Where a day may be told again with other balances, it may be all that both have. Null: nothing.
 */
export const sharedBookings = async (
  a: CountedPart,
  b: CountedPart,
  isBehind: IsBehind,
  turns: Turns,
): Promise<SharedBookings | null> => {
  // Equal lines of one file are several.
  if (a.part.file === b.part.file || areOtherPages(a.part.file, b.part.file)) return null;
  const both = await inCommon(a.contents, b.contents, turns);
  if (both.size === 0) return null;
  const all = {
    // There may be some hundred thousand pairs of parts: what two of them have is not kept for each.
    timesAtMost: (content: Sha256) => Math.min(timesIn(a.contents, content), timesIn(b.contents, content)),
    isKnown: false,
  };
  const isDoubted = await mayBeToldTwice(a, b, both, turns);
  const oneGoesOn: GoesOn = async () =>
    (await isBehind(a.part.file, b.part.file)) || (await isBehind(b.part.file, a.part.file));
  if (isDoubted && !(await oneGoesOn())) return all;
  const isWithin = (await mayBeWithin(a, b, oneGoesOn, turns)) || (await mayBeWithin(b, a, oneGoesOn, turns));
  const most = new Map<Sha256, number>();
  let [ofDay, ofFiles] = [Number(isWithin), 0];
  for (const { end, begin, isOfDay } of [...leadingInto(a.part, b.part), ...leadingInto(b.part, a.part)]) {
    const found = await waysToComeTo(both, minus(end, begin), turns);
    if (found === null) return all;
    if (isOfDay) ofDay += found.ways;
    else ofFiles += found.ways;
    for (const [content, times] of found.most) {
      await turns();
      most.set(content, Math.max(times, most.get(content) ?? 0));
    }
  }
  if (ofDay + ofFiles === 0) return null;
  return {
    timesAtMost: isWithin ? all.timesAtMost : (content) => most.get(content) ?? 0,
    isKnown: ofDay === 1 && ofFiles === 0 && !isDoubted,
  };
};
