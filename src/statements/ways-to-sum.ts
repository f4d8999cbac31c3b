import { exactOrd, minus, plainText, plus, ZERO, type Exact } from '../domain/exact.ts';
import type { Sha256 } from '../domain/ids.ts';
import type { Contents } from './contents.ts';
import type { Turns } from './turns.ts';

const isLess = (a: Exact, b: Exact): boolean => exactOrd.compare(a, b) < 0;

/** So many sums are reckoned for one question, some milliseconds of the thread; where there are more, nothing is ruled out. */
const MOST_SUMS = 20_000;
/** Two, beside the one that takes none. */
const MANY = 3;

/** How bookings may come to a sum. */
export type WaysToSum = {
  /** In how many ways that take one at least; two where they are more. */
  readonly ways: number;
  /** Of what some way takes, the most that one takes of it. */
  readonly most: ReadonlyMap<Sha256, number>;
};

type Booked = { readonly content: Sha256; readonly change: Exact; readonly times: number; readonly whole: Exact };
type Reached = ReadonlyMap<string, { readonly sum: Exact; readonly ways: number }>;

/** The sums that the first so many of these can come to, from which the others can still come to a sum. */
const reachedOnTheWay = async (
  all: readonly Booked[],
  sum: Exact,
  turns: Turns,
): Promise<readonly Reached[] | null> => {
  let [least, most, sums] = [ZERO, ZERO, 0];
  for (const { whole } of all) {
    await turns();
    if (isLess(whole, ZERO)) least = plus(least, whole);
    else most = plus(most, whole);
  }
  let reached: Reached = new Map([['0', { sum: ZERO, ways: 1 }]]);
  const steps = [reached];
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
    steps.push(reached);
  }
  return steps;
};

/** Back from the sum: the most that a way takes of each. Null: they are too many to tell. */
const mostTaken = async (
  all: readonly Booked[],
  steps: readonly Reached[],
  sum: Exact,
  turns: Turns,
): Promise<ReadonlyMap<Sha256, number> | null> => {
  let ends = new Map<string, Exact>([[plainText(sum), sum]]);
  let sums = 0;
  const taken = new Map<Sha256, number>();
  for (const [at, { content, change, times }] of [...all.entries()].toReversed()) {
    const begins = new Map<string, Exact>();
    for (const end of ends.values()) {
      let from = end;
      for (let many = 0; many <= times; many += 1, from = minus(from, change)) {
        await turns();
        sums += 1;
        if (sums > MOST_SUMS) return null;
        const text = plainText(from);
        if (steps[at]?.has(text) !== true) continue;
        begins.set(text, from);
        if (many > 0) taken.set(content, Math.max(many, taken.get(content) ?? 0));
      }
    }
    ends = begins;
  }
  return taken;
};

const bookedOf = async (contents: Contents, turns: Turns): Promise<readonly Booked[]> => {
  const all: Booked[] = [];
  for (const [content, one] of contents) {
    await turns();
    all.push({ content, ...one, whole: { ...one.change, coefficient: one.change.coefficient * BigInt(one.times) } });
  }
  return all;
};

/** Whether some of these, or none, come to a sum. Null: they are too many to tell. */
export const comesTo = async (contents: Contents, sum: Exact, turns: Turns): Promise<boolean | null> => {
  const steps = await reachedOnTheWay(await bookedOf(contents, turns), sum, turns);
  return steps?.at(-1)?.has(plainText(sum)) ?? null;
};

/** In which ways some of these come to a sum. Null: they are too many to tell. */
export const waysToComeTo = async (contents: Contents, sum: Exact, turns: Turns): Promise<WaysToSum | null> => {
  const all = await bookedOf(contents, turns);
  const steps = await reachedOnTheWay(all, sum, turns);
  if (steps === null) return null;
  const text = plainText(sum);
  const ways = (steps.at(-1)?.get(text)?.ways ?? 0) - (text === '0' ? 1 : 0);
  if (ways === 0) return { ways, most: new Map() };
  return {
    ways,
    most: (await mostTaken(all, steps, sum, turns)) ?? new Map(all.map(({ content, times }) => [content, times])),
  };
};
