import type { BusinessDay } from '../domain/business-day.ts';
import type { Sha256 } from '../domain/ids.ts';
import type { AccountPart } from './account-part.ts';
import { countedPart, type CountedPart } from './contents.ts';
import { contentOf, placesOf, shareARun, type DayPart, type Reading } from './day-part.ts';
import { sharedBookings, type SharedBookings } from './shared-bookings.ts';
import { mostBookedByCase, type InDoubt } from './most-booked.ts';
import type { Turns } from './turns.ts';

/** What parts show of one day, read in one way: the places of each content in each of them, and which of them are in doubt. */
type ReadDay = {
  readonly places: ReadonlyMap<Sha256, ReadonlyMap<number, ReadonlySet<string>>>;
  readonly inDoubt: (content: Sha256) => InDoubt;
};

const READINGS: readonly Reading[] = [false, true].flatMap((turnsSeveral) =>
  [false, true].map((turnsSingle) => ({ turnsSeveral, turnsSingle })),
);

/** The places of each content in each part. */
const byContent = async (runs: readonly (readonly string[])[], turns: Turns): Promise<ReadDay['places']> => {
  const places = new Map<Sha256, Map<number, Set<string>>>();
  for (const [number, run] of runs.entries()) {
    for (const place of run) {
      await turns();
      const content = contentOf(place);
      const inParts = places.get(content) ?? new Map<number, Set<string>>();
      places.set(content, inParts);
      const its = inParts.get(number) ?? new Set();
      inParts.set(number, its);
      its.add(place);
    }
  }
  return places;
};

/** What each two parts may have in common, if anything: of each part beside those before it. */
const sharedByPairs = async (
  counted: readonly CountedPart[],
  turns: Turns,
): Promise<readonly (readonly (SharedBookings | null)[])[]> => {
  const pairs: (SharedBookings | null)[][] = [];
  for (const [at, part] of counted.entries()) {
    const its: (SharedBookings | null)[] = [];
    for (const before of counted.slice(0, at)) {
      await turns();
      its.push(await sharedBookings(part, before, turns));
    }
    pairs.push(its);
  }
  return pairs;
};

/** A day of several parts, read in each way. */
const readInEachWay = async (parts: readonly DayPart[], turns: Turns): Promise<readonly ReadDay[]> => {
  const counted: CountedPart[] = [];
  for (const part of parts) counted.push(await countedPart(part, turns));
  const pairs = await sharedByPairs(counted, turns);
  const days: ReadDay[] = [];
  for (const reading of READINGS) {
    const runs: (readonly string[])[] = [];
    for (const part of parts) runs.push(await placesOf(part, reading, turns));
    const doubts: (SharedBookings | null)[][] = [];
    for (const [one, shared] of pairs.entries()) {
      const its: (SharedBookings | null)[] = [];
      for (const [other, common] of shared.entries()) {
        await turns();
        const isTold = common?.isKnown === true && (await shareARun(runs[one] ?? [], runs[other] ?? [], turns));
        its.push(isTold ? null : common);
      }
      doubts.push(its);
    }
    days.push({
      places: await byContent(runs, turns),
      inDoubt: (content) => (one, other) =>
        doubts[Math.max(one, other)]?.[Math.min(one, other)]?.timesAtMost(content) ?? 0,
    });
  }
  return days;
};

/**
 * How often what a line says was booked, as far as the balances of these parts of its account tell (docs/spec/statements.md, Equal
 * lines): equal lines of two parts are two bookings where balances prove that the parts have none in common, or where both list the
 * same bookings in one order, so that each line has a place, the balance before it. Where neither tells, one of both parts counts. A
 * further part never makes it less, and more by no more than the part has: so lines are the same in whatever order files are imported.
 */
export const timesBooked = async (
  ofAccount: readonly AccountPart[],
  turns: Turns,
): Promise<(content: Sha256) => Promise<number>> => {
  const byDay = Map.groupBy(
    ofAccount.flatMap((part) => [...part]),
    ([day]: readonly [BusinessDay, DayPart]) => day,
  );
  const days: ReadDay[] = [];
  for (const its of byDay.values())
    days.push(
      ...(await readInEachWay(
        its.map(([, part]: readonly [BusinessDay, DayPart]) => part),
        turns,
      )),
    );
  const mostBooked = mostBookedByCase();
  return async (content) => {
    let most = 0;
    for (const { places, inDoubt } of days) {
      const inParts = places.get(content);
      if (inParts === undefined) continue;
      const parts = [...inParts].map(([number, its]) => ({ number, places: its }));
      most = Math.max(most, await mostBooked(parts, inDoubt(content), turns));
    }
    return most;
  };
};
