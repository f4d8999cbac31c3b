import { exactOrd, minus, plainText, plus, ZERO, type Exact } from '../domain/exact.ts';
import { combined, contentsOf, isAmong, type Contents } from './contents.ts';
import type { DayPart } from './day-part.ts';
import type { Turns } from './turns.ts';

/** How many things there are, as far as it matters. */
export type Ways = 'none' | 'one' | 'several';

/** A part of a day, and how often it has what. */
export type CountedPart = { readonly part: DayPart; readonly contents: Contents };

export const countedPart = async (part: DayPart, turns: Turns): Promise<CountedPart> => ({
  part,
  contents: await contentsOf(part, turns),
});

const isLess = (a: Exact, b: Exact): boolean => exactOrd.compare(a, b) < 0;

/** So many sums are reckoned for one question, some milliseconds of the thread; where there are more, nothing is ruled out. */
const MOST_SUMS = 20_000;
/** Two, beside the one that takes none. */
const MANY = 3;

/** In how many ways some of these come to a sum, none of them being one of the ways; `MANY` at the most. Null: they are too many to tell. */
const waysToComeTo = async (contents: Contents, sum: Exact, turns: Turns): Promise<number | null> => {
  let [least, most, sums] = [ZERO, ZERO, 0];
  const all: { readonly change: Exact; readonly times: number; readonly whole: Exact }[] = [];
  for (const one of contents.values()) {
    await turns();
    const whole = { ...one.change, coefficient: one.change.coefficient * BigInt(one.times) };
    if (isLess(whole, ZERO)) least = plus(least, whole);
    else most = plus(most, whole);
    all.push({ ...one, whole });
  }
  let reached = new Map([['0', { sum: ZERO, ways: 1 }]]);
  for (const { change, times, whole } of all) {
    // What the others behind this one can still take away or add.
    if (isLess(whole, ZERO)) least = minus(least, whole);
    else most = minus(most, whole);
    const [low, high] = [minus(sum, most), minus(sum, least)];
    const next = new Map<string, { readonly sum: Exact; ways: number }>();
    for (const { sum: before, ways } of reached.values()) {
      let to = before;
      for (let many = 0; many <= times; many += 1, to = plus(to, change)) {
        await turns();
        sums += 1;
        if (sums > MOST_SUMS) return null;
        if (isLess(to, low) || isLess(high, to)) continue;
        const text = plainText(to);
        const there = next.get(text);
        if (there === undefined) next.set(text, { sum: to, ways });
        else there.ways = Math.min(MANY, there.ways + ways);
      }
    }
    reached = next;
  }
  return reached.get(plainText(sum))?.ways ?? 0;
};

/** In how many ways a part may end with bookings that another one begins with: these come to what lies between the two balances. */
const waysToLeadInto = async (part: DayPart, next: DayPart, both: Contents, turns: Turns): Promise<number> => {
  const sum = minus(part.closing, next.opening);
  return ((await waysToComeTo(both, sum, turns)) ?? MANY) - (exactOrd.equals(sum, ZERO) ? 1 : 0);
};

/** Whether one of both begins with the balance that the other one ends with. */
const areNeighbours = (a: DayPart, b: DayPart): boolean =>
  exactOrd.equals(a.opening, b.closing) || exactOrd.equals(a.closing, b.opening);

/**
 * Whether all of a part may be in the midst of another one, whose other bookings come to what lies before it. Of a long day nearly
 * every balance is such a sum: there a part is in its midst but where the one begins with what the other ends with.
 */
const mayBeWithin = async ({ part, contents }: CountedPart, whole: CountedPart, turns: Turns): Promise<boolean> => {
  const { opening, closing } = whole.part;
  if (exactOrd.equals(part.opening, opening) || exactOrd.equals(part.closing, closing)) return false;
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
  exactOrd.equals(a.file.opening, b.file.opening) ||
  exactOrd.equals(a.file.closing, b.file.closing);

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
 * In how many ways two parts of a day may have bookings in common, in whatever order each lists its own: their balances were the
 * account's, and what they had in common lies between these. None: they are of different bookings. One: what they have in
 * common is known, though not which lines these are. Several, too, where balances of two files contradict one another.
 */
export const sharedBookings = async (a: CountedPart, b: CountedPart, turns: Turns): Promise<Ways> => {
  const both = await combined(a.contents, b.contents, Math.min, turns);
  if (both.size === 0) return 'none';
  if (await mayBeMoved(a, b, turns)) return 'several';
  const ways =
    (await waysToLeadInto(a.part, b.part, both, turns)) +
    (await waysToLeadInto(b.part, a.part, both, turns)) +
    Number(await mayBeWithin(a, b, turns)) +
    Number(await mayBeWithin(b, a, turns));
  return ways === 1 ? 'one' : ways === 0 && !isToldTwice(a.part, b.part) ? 'none' : 'several';
};
