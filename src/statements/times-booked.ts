import type { BusinessDay } from '../domain/business-day.ts';
import type { Sha256 } from '../domain/ids.ts';
import type { AccountPart } from './account-part.ts';
import { contentOf, placesOf, shareARun, type DayPart, type Reading } from './day-part.ts';
import { countedPart, sharedBookings, type CountedPart, type Ways } from './shared-bookings.ts';
import type { Turns } from './turns.ts';

type Places = ReadonlySet<string>;

/** Whether two parts of a day may be the same bookings at other places, by their numbers. */
type InDoubt = (one: number, other: number) => boolean;

/** Each way of leaving one out takes twice as long; so many are only there where somebody makes them up. */
const MOST_IN_DOUBT = 8;

const countedOnce = async (parts: readonly Places[], turns: Turns): Promise<number> => {
  const all = new Set<string>();
  for (const places of parts) {
    for (const place of places) {
      await turns();
      all.add(place);
    }
  }
  return all.size;
};

/** How many places these parts have, of those that may be the same bookings only one's. */
const mostPlaces = async (parts: ReadonlyMap<number, Places>, areInDoubt: InDoubt, turns: Turns): Promise<number> => {
  const doubted: number[] = [];
  for (const [one, its] of parts) {
    for (const [other, others] of parts) {
      await turns();
      if (other === one || !areInDoubt(one, other) || its.isSubsetOf(others) || others.isSubsetOf(its)) continue;
      doubted.push(one);
      break;
    }
  }
  if (doubted.length > MOST_IN_DOUBT) return 0;
  const [number] = doubted;
  if (number === undefined) return await countedOnce([...parts.values()], turns);
  const without = new Map([...parts].filter(([other]) => other !== number));
  const beside = new Map([...parts].filter(([other]) => other === number || !areInDoubt(number, other)));
  return Math.max(await mostPlaces(without, areInDoubt, turns), await mostPlaces(beside, areInDoubt, turns));
};

/** What parts show of one day, read in one way: the places of each content in each of them, and which of them are in doubt. */
type ReadDay = {
  readonly places: ReadonlyMap<Sha256, ReadonlyMap<number, Places>>;
  readonly areInDoubt: InDoubt;
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

/** A day of several parts, read in each way. */
const readInEachWay = async (parts: readonly DayPart[], turns: Turns): Promise<readonly ReadDay[]> => {
  const ways = new Map<string, Ways>();
  const counted: CountedPart[] = [];
  for (const part of parts) counted.push(await countedPart(part, turns));
  for (const [one, part] of counted.entries()) {
    for (const [other, beside] of counted.entries()) {
      await turns();
      if (other > one) ways.set(`${one} ${other}`, await sharedBookings(part, beside, turns));
    }
  }
  const days: ReadDay[] = [];
  for (const reading of READINGS) {
    const runs: (readonly string[])[] = [];
    for (const part of parts) runs.push(await placesOf(part, reading, turns));
    const doubts = new Set<string>();
    for (const [pair, its] of ways) {
      await turns();
      const [one = [], other = []] = pair.split(' ').map((number) => runs[Number(number)]);
      if (its !== 'none' && (its === 'several' || !(await shareARun(one, other, turns)))) doubts.add(pair);
    }
    days.push({
      places: await byContent(runs, turns),
      areInDoubt: (one, other) => doubts.has(`${Math.min(one, other)} ${Math.max(one, other)}`),
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
  parts: readonly AccountPart[],
  turns: Turns,
): Promise<(content: Sha256) => Promise<number>> => {
  const byDay = Map.groupBy(
    parts.flatMap((part) => [...part]),
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
  return async (content) => {
    let most = 0;
    for (const { places, areInDoubt } of days) {
      const inParts = places.get(content);
      if (inParts !== undefined) most = Math.max(most, await mostPlaces(inParts, areInDoubt, turns));
    }
    return most;
  };
};
