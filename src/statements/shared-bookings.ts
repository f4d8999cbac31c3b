import { exactOrd, minus, plainText, ZERO, type Exact } from '../domain/exact.ts';
import { combined, contentsOf, isAmong, type Contents } from './contents.ts';
import type { DayPart } from './day-part.ts';
import type { Turns } from './turns.ts';
import { MANY, waysToComeTo } from './ways-to-sum.ts';

/** How many things there are, as far as it matters. */
export type Ways = 'none' | 'one' | 'several';

/** A part of a day, and how often it has what. */
export type CountedPart = { readonly part: DayPart; readonly contents: Contents };

export const countedPart = async (part: DayPart, turns: Turns): Promise<CountedPart> => ({
  part,
  contents: await contentsOf(part, turns),
});

const isSame = exactOrd.equals;

/** In how many ways bookings come to what lies between two balances, one of them at least. */
const waysBetween = async (end: Exact, begin: Exact, both: Contents, turns: Turns): Promise<number> => {
  const sum = minus(end, begin);
  return ((await waysToComeTo(both, sum, turns)) ?? MANY) - (isSame(sum, ZERO) ? 1 : 0);
};

/** In how many ways a part may end with bookings that another one begins with, by the balances of the day. */
const waysToLeadInto = async (part: DayPart, next: DayPart, both: Contents, turns: Turns): Promise<number> =>
  await waysBetween(part.closing, next.opening, both, turns);

/**
 * The same by balances at the ends of the files, where these are not those of the day: what stands before a part in its file may
 * have been booked later and dated back, and what stands behind it earlier.
 */
const waysBetweenFiles = async (part: DayPart, next: DayPart, both: Contents, turns: Turns): Promise<number> => {
  const ends = new Map([part.closing, part.file.closing].map((end) => [plainText(end), end]));
  const begins = new Map([next.opening, next.file.opening].map((begin) => [plainText(begin), begin]));
  let ways = 0;
  for (const end of ends.values()) {
    for (const begin of begins.values()) {
      if (isSame(end, part.closing) && isSame(begin, next.opening)) continue;
      ways += await waysBetween(end, begin, both, turns);
    }
  }
  return ways;
};

/** Whether one of both begins with the balance that the other one ends with. */
const areNeighbours = (a: DayPart, b: DayPart): boolean => isSame(a.opening, b.closing) || isSame(a.closing, b.opening);

/**
 * Whether all of a part may be in the midst of another one, whose other bookings come to what lies before it. Of a long day nearly
 * every balance is such a sum: there a part is in its midst but where the one begins with what the other ends with.
 */
const mayBeWithin = async ({ part, contents }: CountedPart, whole: CountedPart, turns: Turns): Promise<boolean> => {
  const { opening, closing } = whole.part;
  if (isSame(part.opening, opening) || isSame(part.closing, closing)) return false;
  if (!(await isAmong(contents, whole.contents, turns))) return false;
  const rest = await combined(whole.contents, contents, (inWhole, inPart) => inWhole - inPart, turns);
  const ways = await waysToComeTo(rest, minus(part.opening, opening), turns);
  return ways === null ? !areNeighbours(part, whole.part) : ways > 0;
};

const isOfSeveralDays = ({ hasBefore, hasBehind }: DayPart): boolean => hasBefore || hasBehind;

/**
 * Whether two files are two tellings of a day, whatever their balances: both have it from its beginning, or to its end, and one lacks
 * what was added to other days; or both open or close alike, as files do of programs that begin each at nothing.
 */
const isToldTwice = (a: DayPart, b: DayPart): boolean =>
  (a.hasBefore && b.hasBefore) ||
  (a.hasBehind && b.hasBehind) ||
  isSame(a.file.opening, b.file.opening) ||
  isSame(a.file.closing, b.file.closing);

/**
 * Whether balances within a file may not be the account's. Where a bank sorts its lines by their days, what it dates back moves the
 * balances of other days: so it may be where something is dated back in one of two files, or where one of several days has all that
 * the other one has of its only day.
 */
const mayBeMoved = async (a: CountedPart, b: CountedPart, turns: Turns): Promise<boolean> =>
  a.part.datesBack ||
  b.part.datesBack ||
  (isOfSeveralDays(a.part) !== isOfSeveralDays(b.part) &&
    ((await isAmong(a.contents, b.contents, turns)) || (await isAmong(b.contents, a.contents, turns))));

/**
 * Whether a file goes on where another one ends, one of the two of a single day. The balances at the ends of files are the account's
 * in whatever order they list; one that the first file began with, or had before the day, says nothing: the account may have come
 * back to it. So it may have where something is dated back, or both have several days and may share others of them.
 */
const goesOn = (a: DayPart, b: DayPart): boolean =>
  !a.datesBack &&
  !b.datesBack &&
  !(isOfSeveralDays(a) && isOfSeveralDays(b)) &&
  isSame(a.file.closing, b.file.opening) &&
  !isSame(a.file.opening, b.file.opening) &&
  !isSame(a.opening, b.file.opening) &&
  !isSame(a.file.closing, b.file.closing);

/**
 * In how many ways two parts of a day may have bookings in common, in whatever order each lists its own: their balances were the
 * account's, and what they had in common lies between these. None: they are of different bookings. One: what they have in
 * common is known, though not which lines these are. Several, too, where balances of two files contradict one another.
 */
export const sharedBookings = async (a: CountedPart, b: CountedPart, turns: Turns): Promise<Ways> => {
  const both = await combined(a.contents, b.contents, Math.min, turns);
  if (both.size === 0) return 'none';
  const isDoubted = isToldTwice(a.part, b.part) || (await mayBeMoved(a, b, turns));
  if (isDoubted && !goesOn(a.part, b.part) && !goesOn(b.part, a.part)) return 'several';
  const ofDay =
    (await waysToLeadInto(a.part, b.part, both, turns)) +
    (await waysToLeadInto(b.part, a.part, both, turns)) +
    Number(await mayBeWithin(a, b, turns)) +
    Number(await mayBeWithin(b, a, turns));
  const ofFiles =
    (await waysBetweenFiles(a.part, b.part, both, turns)) + (await waysBetweenFiles(b.part, a.part, both, turns));
  if (ofDay + ofFiles === 0) return 'none';
  return ofDay === 1 && ofFiles === 0 && !isDoubted ? 'one' : 'several';
};
