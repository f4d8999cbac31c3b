import { plainText, plus, type Exact } from '../domain/exact.ts';
import type { CountedPart } from './counted-part.ts';
import type { Turns } from './turns.ts';

/** A part of a day, and its number among those of the day. */
type Numbered = { readonly number: number; readonly counted: CountedPart };

/** A balance takes so much less time than a pair of parts. */
const BALANCES_FOR_A_PAIR = 16;

/**
 * The balances that a part may have had between its bookings, in whatever order these came. Null: it is not all of its file, or
 * something in it is dated back, so that its balances may not tell, or they are too many.
 */
const balancesIn = async (
  { part, contents }: CountedPart,
  most: number,
  turns: Turns,
): Promise<ReadonlySet<string> | null> => {
  if (part.hasBefore || part.hasBehind || part.datedBackTo.size > 0) return null;
  let reached = new Map<string, Exact>([[plainText(part.opening), part.opening]]);
  let left = most;
  for (const { change, times } of contents.values()) {
    const next = new Map(reached);
    for (const balance of reached.values()) {
      let to = balance;
      for (let many = 1; many <= times; many += 1) {
        await turns();
        left -= 1;
        if (left < 0) return null;
        to = plus(to, change);
        next.set(plainText(to), to);
      }
    }
    reached = next;
  }
  return new Set(reached.keys());
};

/**
 * Which parts of a day may have something in common, each beside those before it, by their numbers: the others need not be gone
 * through. Of two parts that are all of their files, one opens with a balance that the other one may have had, or both close alike:
 * whatever choice of their bookings is to lie between their balances comes to that. So pages of a day are settled by a look at each.
 */
export const pairsInQuestion = async (
  all: readonly CountedPart[],
  turns: Turns,
): Promise<readonly (readonly number[])[]> => {
  const beside = all.map(() => new Set<number>());
  const ask = (one: number, other: number): void => {
    if (one !== other) beside[Math.max(one, other)]?.add(Math.min(one, other));
  };
  const told: (Numbered & { readonly balances: ReadonlySet<string> })[] = [];
  for (const [number, counted] of all.entries()) {
    const balances = await balancesIn(counted, BALANCES_FOR_A_PAIR * all.length, turns);
    if (balances !== null) {
      told.push({ number, counted, balances });
      continue;
    }
    for (const other of all.keys()) {
      await turns();
      ask(number, other);
    }
  }
  const byOpening = Map.groupBy(told, ({ counted }): string => plainText(counted.part.opening));
  const byClosing = Map.groupBy(told, ({ counted }): string => plainText(counted.part.closing));
  for (const { number, counted, balances } of told) {
    for (const balance of balances) {
      await turns();
      for (const other of byOpening.get(balance) ?? []) ask(number, other.number);
    }
    for (const other of byClosing.get(plainText(counted.part.closing)) ?? []) {
      await turns();
      ask(number, other.number);
    }
  }
  return beside.map((numbers) => [...numbers]);
};
