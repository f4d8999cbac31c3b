import { exactOrd, minus, plainText, plus, ZERO, type Exact } from '../domain/exact.ts';
import type { Sha256 } from '../domain/ids.ts';
import type { DayPart } from './day-part.ts';

/** How many things there are, as far as it matters. */
export type Ways = 'none' | 'one' | 'several';

/** Contents, how often each, and what it did to the account. */
type Contents = ReadonlyMap<Sha256, { readonly change: Exact; readonly times: number }>;

const contentsOf = ({ booked }: DayPart): Contents => {
  const contents = new Map<Sha256, { readonly change: Exact; times: number }>();
  for (const { content, change } of booked) {
    const its = contents.get(content);
    if (its === undefined) contents.set(content, { change, times: 1 });
    else its.times += 1;
  }
  return contents;
};

const timesIn = (contents: Contents, content: Sha256): number => contents.get(content)?.times ?? 0;

/** Those of the first so often as a rule says of the times in both. */
const combined = (a: Contents, b: Contents, times: (inA: number, inB: number) => number): Contents =>
  new Map(
    [...a].flatMap(([content, one]) => {
      const many = times(one.times, timesIn(b, content));
      return many > 0 ? [[content, { change: one.change, times: many }] as const] : [];
    }),
  );

const isLess = (a: Exact, b: Exact): boolean => exactOrd.compare(a, b) < 0;

/** So many sums are reckoned with; where there are more, nothing is ruled out. */
const MOST_SUMS = 20_000;
/** Two, beside the one that takes none. */
const MANY = 3;

/** Sums that were reached, and in how many ways, `MANY` at the most. */
type Reached = ReadonlyMap<string, { readonly sum: Exact; readonly ways: number }>;

/** What is reached with one more content, none of it to all of it, as long as the others can still lead from there to the sum. */
const withOne = (
  before: Reached,
  { change, times }: { readonly change: Exact; readonly times: number },
  isInReach: (sum: Exact) => boolean,
): Reached | null => {
  const reached = new Map<string, { readonly sum: Exact; ways: number }>();
  for (const { sum: first, ways } of before.values()) {
    let sum = first;
    for (let many = 0; many <= times; many += 1, sum = plus(sum, change)) {
      if (!isInReach(sum)) continue;
      const text = plainText(sum);
      const there = reached.get(text);
      if (there === undefined) reached.set(text, { sum, ways });
      else there.ways = Math.min(MANY, there.ways + ways);
      if (reached.size > MOST_SUMS) return null;
    }
  }
  return reached;
};

/** In how many ways some of these come to a sum, none of them being one of the ways; `MANY` at the most. Null: they are too many to tell. */
const waysToComeTo = (contents: Contents, sum: Exact): number | null => {
  let [least, most] = [ZERO, ZERO];
  const all = [...contents.values()].map((one) => {
    let whole = ZERO;
    for (let many = 0; many < one.times; many += 1) whole = plus(whole, one.change);
    if (isLess(whole, ZERO)) least = plus(least, whole);
    else most = plus(most, whole);
    return { ...one, whole };
  });
  let reached: Reached = new Map([['0', { sum: ZERO, ways: 1 }]]);
  for (const one of all) {
    // What the others behind this one can still take away or add.
    if (isLess(one.whole, ZERO)) least = minus(least, one.whole);
    else most = minus(most, one.whole);
    const [low, high] = [minus(sum, most), minus(sum, least)];
    const next = withOne(reached, one, (from) => !isLess(from, low) && !isLess(high, from));
    if (next === null) return null;
    reached = next;
  }
  return reached.get(plainText(sum))?.ways ?? 0;
};

/** In how many ways a part may end with bookings that another one begins with: these come to what lies between the two balances. */
const waysToLeadInto = (part: DayPart, next: DayPart, both: Contents): number => {
  const sum = minus(part.closing, next.opening);
  return (waysToComeTo(both, sum) ?? MANY) - (exactOrd.equals(sum, ZERO) ? 1 : 0);
};

/**
 * Whether all of a part may be in the midst of another one, whose other bookings come to what lies before it. Of a long day nearly
 * every balance is such a sum: there a part is in its midst but where the one begins with what the other ends with.
 */
const mayBeWithin = (part: DayPart, its: Contents, whole: DayPart, all: Contents): boolean => {
  if (exactOrd.equals(part.opening, whole.opening) || exactOrd.equals(part.closing, whole.closing)) return false;
  if ([...its].some(([content, { times }]) => times > timesIn(all, content))) return false;
  const rest = combined(all, its, (inAll, inPart) => inAll - inPart);
  const ways = waysToComeTo(rest, minus(part.opening, whole.opening));
  if (ways !== null) return ways > 0;
  return !exactOrd.equals(part.opening, whole.closing) && !exactOrd.equals(part.closing, whole.opening);
};

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
 * In how many ways two parts of a day may have bookings in common, in whatever order each lists its own: their balances were the
 * account's, and what they had in common lies between these. None: they are of different bookings. One: what they have in
 * common is known, though not which lines these are. Several, too, where balances of two files contradict one another.
 */
export const sharedBookings = (a: DayPart, b: DayPart): Ways => {
  const [ofA, ofB] = [contentsOf(a), contentsOf(b)];
  const both = combined(ofA, ofB, Math.min);
  if (both.size === 0) return 'none';
  const ways =
    waysToLeadInto(a, b, both) +
    waysToLeadInto(b, a, both) +
    Number(mayBeWithin(a, ofA, b, ofB)) +
    Number(mayBeWithin(b, ofB, a, ofA));
  return ways === 1 ? 'one' : ways === 0 && !isToldTwice(a, b) ? 'none' : 'several';
};
