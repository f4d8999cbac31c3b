import { exactOrd, minus, plainText, plus, ZERO, type Exact } from '../domain/exact.ts';
import type { Contents } from './contents.ts';
import type { Turns } from './turns.ts';

const isLess = (a: Exact, b: Exact): boolean => exactOrd.compare(a, b) < 0;

/** So many sums are reckoned for one question, some milliseconds of the thread; where there are more, nothing is ruled out. */
const MOST_SUMS = 20_000;
/** Two, beside the one that takes none. */
export const MANY = 3;

/**
 * In how many ways some of these come to a sum, none of them being one of the ways; `MANY` at the most. Null: they are too many
 * to tell.
 */
export const waysToComeTo = async (contents: Contents, sum: Exact, turns: Turns): Promise<number | null> => {
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
