import { decimalsOf, inUnits, type Exact } from '../domain/exact.ts';
import type { Sha256 } from '../domain/ids.ts';
import type { Contents } from './contents.ts';
import type { Turns } from './turns.ts';

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

/** Bookings of one content; amounts are whole numbers of the finest unit that any of a question has. */
type Booked = { readonly content: Sha256; readonly change: bigint; readonly times: number };
type Question = { readonly all: readonly Booked[]; readonly sum: bigint };
/** In how many ways each of some sums is come to. */
type Reached = ReadonlyMap<bigint, number>;

const questionOf = async (contents: Contents, sum: Exact, turns: Turns): Promise<Question> => {
  let decimals = decimalsOf(sum);
  for (const { change } of contents.values()) {
    await turns();
    decimals = Math.max(decimals, decimalsOf(change));
  }
  const all: Booked[] = [];
  for (const [content, { change, times }] of contents) {
    await turns();
    all.push({ content, times, change: inUnits(change, decimals) });
  }
  return { all, sum: inUnits(sum, decimals) };
};

/** The sums that the first so many of these can come to, from which the others can still come to a sum. Null: they are too many. */
const reachedOnTheWay = async ({ all, sum }: Question, turns: Turns): Promise<readonly Reached[] | null> => {
  let [least, most, sums] = [0n, 0n, 0];
  for (const { change, times } of all) {
    await turns();
    if (change < 0n) least += change * BigInt(times);
    else most += change * BigInt(times);
  }
  let reached: Reached = new Map([[0n, 1]]);
  const steps = [reached];
  for (const { change, times } of all) {
    sums += reached.size * (times + 1);
    if (sums > MOST_SUMS) return null;
    // What the others behind this one can still take away or add.
    if (change < 0n) least -= change * BigInt(times);
    else most -= change * BigInt(times);
    const [low, high] = [sum - most, sum - least];
    const next = new Map<bigint, number>();
    for (const [before, ways] of reached) {
      await turns();
      let to = before;
      for (let many = 0; many <= times; many += 1, to += change)
        if (low <= to && to <= high) next.set(to, Math.min(MANY, ways + (next.get(to) ?? 0)));
    }
    reached = next;
    steps.push(reached);
  }
  return steps;
};

/** Back from the sum: the most that a way takes of each. Null: they are too many to tell. */
const mostTaken = async (
  { all, sum }: Question,
  steps: readonly Reached[],
  turns: Turns,
): Promise<ReadonlyMap<Sha256, number> | null> => {
  let ends = new Set([sum]);
  let sums = 0;
  const taken = new Map<Sha256, number>();
  for (const [at, { content, change, times }] of [...all.entries()].toReversed()) {
    sums += ends.size * (times + 1);
    if (sums > MOST_SUMS) return null;
    const begins = new Set<bigint>();
    for (const end of ends) {
      await turns();
      let from = end;
      for (let many = 0; many <= times; many += 1, from -= change) {
        if (steps[at]?.has(from) !== true) continue;
        begins.add(from);
        if (many > 0) taken.set(content, Math.max(many, taken.get(content) ?? 0));
      }
    }
    ends = begins;
  }
  return taken;
};

/** Sums from one to another, each so much more than the one before, by where they begin. */
type Runs = Map<bigint, bigint>;

/** Where the sums between two bounds begin and end that are come to with up to so many of one more. Each begins one time only. */
const runsWith = async (
  reached: ReadonlySet<bigint>,
  { change, times }: Booked,
  [low, high]: readonly [bigint, bigint],
  turns: Turns,
): Promise<Runs> => {
  const [step, all] = [change < 0n ? -change : change, BigInt(times) * change];
  const runs: Runs = new Map();
  for (const before of reached) {
    await turns();
    const [from, to] = change < 0n ? [before + all, before] : [before, before + all];
    const skipped = from < low && step > 0n ? (low - from + step - 1n) / step : 0n;
    const begin = from + skipped * step;
    const end = to < high ? to : high;
    // Of those that lead to the same first sum, the one that goes furthest leads to what the others do.
    const known = runs.get(begin);
    if (begin >= low && begin <= end && (known === undefined || end > known)) runs.set(begin, end);
  }
  return runs;
};

/** The sums of runs; one that meets another ends there, since that goes on further. Null: they are more than so many. */
const sumsOf = async (runs: Runs, change: bigint, most: number, turns: Turns): Promise<ReadonlySet<bigint> | null> => {
  const step = change < 0n ? -change : change;
  const sums = new Set<bigint>();
  for (const [begin, end] of runs) {
    sums.add(begin);
    for (let sum = begin + step; sum <= end && !runs.has(sum); sum += step) {
      await turns();
      if (sums.size > most) return null;
      sums.add(sum);
    }
  }
  return sums.size > most ? null : sums;
};

/**
 * Whether some of these, or none, come to a sum. Null: they are too many to tell, as where no two amounts are alike. The same few
 * amounts come to few sums, however often each is there: so each sum is reckoned once.
 */
export const comesTo = async (contents: Contents, sum: Exact, turns: Turns): Promise<boolean | null> => {
  const question = await questionOf(contents, sum, turns);
  let [least, most, left] = [0n, 0n, MOST_SUMS];
  for (const { change, times } of question.all) {
    await turns();
    if (change < 0n) least += change * BigInt(times);
    else most += change * BigInt(times);
  }
  let reached: ReadonlySet<bigint> = new Set([0n]);
  for (const booked of question.all) {
    // What the others behind this one can still take away or add.
    if (booked.change < 0n) least -= booked.change * BigInt(booked.times);
    else most -= booked.change * BigInt(booked.times);
    const runs = await runsWith(reached, booked, [question.sum - most, question.sum - least], turns);
    const next = await sumsOf(runs, booked.change, left, turns);
    if (next === null) return null;
    reached = next;
    left -= next.size;
  }
  return reached.has(question.sum);
};

/** In which ways some of these come to a sum. Null: they are too many to tell. */
export const waysToComeTo = async (contents: Contents, sum: Exact, turns: Turns): Promise<WaysToSum | null> => {
  const question = await questionOf(contents, sum, turns);
  const steps = await reachedOnTheWay(question, turns);
  if (steps === null) return null;
  const ways = (steps.at(-1)?.get(question.sum) ?? 0) - (question.sum === 0n ? 1 : 0);
  if (ways === 0) return { ways, most: new Map() };
  return {
    ways,
    most:
      (await mostTaken(question, steps, turns)) ?? new Map(question.all.map(({ content, times }) => [content, times])),
  };
};
