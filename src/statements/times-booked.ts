import type { BusinessDay } from '../domain/business-day.ts';
import { plainText } from '../domain/exact.ts';
import type { Sha256 } from '../domain/ids.ts';
import type { AccountPart } from './account-part.ts';
import { chainedFiles, type IsBehind } from './chained-files.ts';
import { countedParts, type CountedPart } from './counted-part.ts';
import { contentOf, runOf, shareARun, type DayPart, type Reading, type Run } from './day-part.ts';
import { sharedBookings, type SharedBookings } from './shared-bookings.ts';
import { mostBookedByCase, type Doubts } from './most-booked.ts';
import { placesOfPages } from './page-places.ts';
import { pairsInQuestion } from './pairs-in-question.ts';
import type { Turns } from './turns.ts';

/** What parts show of one day, read in one way: the places of each content in each of them, and which of them are in doubt. */
type ReadDay = {
  readonly places: ReadonlyMap<Sha256, ReadonlyMap<number, ReadonlySet<string>>>;
  readonly doubts: Doubts;
};

const READINGS: readonly Reading[] = [false, true].flatMap((turnsSeveral) =>
  [false, true].map((turnsSingle) => ({ turnsSeveral, turnsSingle })),
);

/** The places of each content in each part. */
const byContent = async (runs: readonly Run[], turns: Turns): Promise<ReadDay['places']> => {
  const places = new Map<Sha256, Map<number, Set<string>>>();
  for (const [number, run] of runs.entries()) {
    for (const place of run.places) {
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

/** Two parts of a day, by their numbers, and what they may have in common. */
type Pair = { readonly one: number; readonly other: number; readonly shared: SharedBookings };

/** What each two parts may have in common, where that is anything. */
const sharingPairs = async (
  counted: readonly CountedPart[],
  isBehind: IsBehind,
  turns: Turns,
): Promise<readonly Pair[]> => {
  const pairs: Pair[] = [];
  for (const [one, beside] of (await pairsInQuestion(counted, turns)).entries()) {
    for (const other of beside) {
      await turns();
      const [a, b] = [counted[one], counted[other]];
      const shared = a === undefined || b === undefined ? null : await sharedBookings(a, b, isBehind, turns);
      if (shared !== null) pairs.push({ one, other, shared });
    }
  }
  return pairs;
};

/** What is in doubt of a day as it is read: its places do not tell which lines two parts have in common. */
const doubtsAmong = async (pairs: readonly Pair[], runs: readonly Run[], turns: Turns): Promise<Doubts> => {
  const doubts = new Map<number, Map<number, SharedBookings>>();
  for (const { one, other, shared } of pairs) {
    await turns();
    const [a, b] = [runs[one], runs[other]];
    if (shared.isKnown && a !== undefined && b !== undefined && (await shareARun(a, b, turns))) continue;
    for (const [its, beside] of [
      [one, other],
      [other, one],
    ] as const) {
      const known = doubts.get(its);
      if (known === undefined) doubts.set(its, new Map([[beside, shared]]));
      else known.set(beside, shared);
    }
  }
  return doubts;
};

/** A day of several parts, read in each way. */
const readInEachWay = async (
  parts: readonly DayPart[],
  isBehind: IsBehind,
  turns: Turns,
): Promise<readonly ReadDay[]> => {
  const pairs = await sharingPairs(await countedParts(parts, turns), isBehind, turns);
  const days: ReadDay[] = [];
  for (const reading of READINGS) {
    const listed: Run[] = [];
    for (const part of parts) listed.push(await runOf(part, reading, turns));
    const runs = await placesOfPages(parts, listed, turns);
    days.push({ places: await byContent(runs, turns), doubts: await doubtsAmong(pairs, runs, turns) });
  }
  return days;
};

/** A part beside others of its own day, and beside those of days that some of it is dated: what it says may stand there in other files. */
const ofItsDays = ([day, part]: readonly [BusinessDay, DayPart]): readonly (readonly [BusinessDay, DayPart])[] =>
  [day, ...part.datedBackTo].map((its) => [its, part]);

/** Names what a file shows by its days and balances. */
const nameOf = (part: AccountPart): string =>
  [...part].map(([day, { opening, closing }]) => `${day} ${plainText(opening)} ${plainText(closing)}`).join(', ');

/** Files in one order, whichever were imported first: where more are in doubt than are gone through, it matters which come first. */
const inOneOrder = (parts: readonly AccountPart[]): readonly AccountPart[] =>
  parts
    .map((part) => ({ part, name: nameOf(part) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)))
    .map(({ part }) => part);

/**
 * How often what a line says was booked, as far as the balances of these parts of its account tell (docs/spec/statements.md, Equal
 * lines): equal lines of two parts are two bookings where balances prove that the parts have none in common, or where both list the
 * same bookings in one order, so that each line has a place, the balance before it. Where neither tells, one of both parts counts. A
 * further part never makes it less, as long as the parts in doubt can all be gone through (`mostKept`), and it is the same for these
 * parts in whatever order they come. It is more by no more than the further part has, but where that part leads from one of the
 * others to another one: of lines that it has not none can be given a name any more, so such files are best imported in their order.
 */
export const timesBooked = async (
  ofAccount: readonly AccountPart[],
  turns: Turns,
): Promise<(content: Sha256) => Promise<number>> => {
  const byDay = Map.groupBy(
    inOneOrder(ofAccount).flatMap((part) => [...part].flatMap(ofItsDays)),
    ([day]: readonly [BusinessDay, DayPart]) => day,
  );
  const isBehind = chainedFiles(ofAccount, turns);
  const days: ReadDay[] = [];
  for (const its of byDay.values())
    days.push(
      ...(await readInEachWay(
        its.map(([, part]: readonly [BusinessDay, DayPart]) => part),
        isBehind,
        turns,
      )),
    );
  const mostBooked = mostBookedByCase();
  return async (content) => {
    let most = 0;
    for (const { places, doubts } of days) {
      const inParts = places.get(content);
      if (inParts === undefined) continue;
      const parts = [...inParts].map(([number, its]) => ({ number, places: its }));
      most = Math.max(most, await mostBooked(parts, content, doubts, turns));
    }
    return most;
  };
};
