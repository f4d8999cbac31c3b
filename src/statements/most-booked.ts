import type { Sha256 } from '../domain/ids.ts';
import { mostKept, type SharingPart } from './most-kept.ts';
import type { SharedBookings } from './shared-bookings.ts';
import type { Turns } from './turns.ts';

/** Parts of a day by their numbers, and what each may have in common with which others at other places. */
export type Doubts = ReadonlyMap<number, ReadonlyMap<number, Pick<SharedBookings, 'timesAtMost'>>>;

/** The places of one content in a part of a day, and the number of the part. */
type PlacesInPart = { readonly number: number; readonly places: ReadonlySet<string> };

/** Parts with what each two of them may share of a content; null where no two may. */
const sharingAmong = async (
  parts: readonly PlacesInPart[],
  content: Sha256,
  doubts: Doubts,
  turns: Turns,
): Promise<readonly SharingPart[] | null> => {
  const all = new Map(
    parts.map(({ number, places }) => [number, { places, shares: new Map<SharingPart, number>() }] as const),
  );
  let isNone = true;
  for (const [number, part] of all) {
    const its = doubts.get(number);
    if (its === undefined) continue;
    // A part may have many others beside it, and a content few that have it; or the other way round.
    for (const beside of (its.size < all.size ? its : all).keys()) {
      await turns();
      const other = all.get(beside);
      const shared = its.get(beside)?.timesAtMost(content) ?? 0;
      if (other === undefined || shared === 0) continue;
      isNone = false;
      part.shares.set(other, shared);
    }
  }
  return isNone ? null : [...all.values()];
};

const placesOfAll = async (parts: readonly PlacesInPart[], turns: Turns): Promise<number> => {
  const all = new Set<string>();
  for (const { places } of parts) {
    for (const place of places) {
      await turns();
      all.add(place);
    }
  }
  return all.size;
};

/** What the answer hangs on, whatever the content is: which places parts have in common, and what they may share. */
const caseOf = async (parts: readonly SharingPart[], turns: Turns): Promise<string> => {
  const [numbers, order] = [new Map<string, number>(), new Map<SharingPart, number>()];
  const its: string[] = [];
  for (const part of parts) {
    order.set(part, order.size);
    const there: number[] = [];
    for (const place of part.places) {
      await turns();
      const known = numbers.get(place) ?? numbers.size;
      numbers.set(place, known);
      there.push(known);
    }
    const shared: string[] = [];
    for (const [other, many] of part.shares) {
      await turns();
      const before = order.get(other);
      if (before !== undefined) shared.push(`${before} ${many}`);
    }
    its.push(`${there.join(' ')} : ${shared.join(' ')}`);
  }
  return its.join(', ');
};

/** Finds it for one content. Parts are in the order of their numbers. */
export type MostBooked = (
  parts: readonly PlacesInPart[],
  content: Sha256,
  doubts: Doubts,
  turns: Turns,
) => Promise<number>;

/** Fewer parts are reckoned faster than what was reckoned for them before is found. */
const FEW_PARTS = 3;
/** Cases that are kept. */
const MOST_CASES = 1_000;

/**
 * How many bookings of one content some parts of a day have between them, as far as nothing tells that they have less. What one has at
 * the places of another one is the same; of parts that may share bookings at other places either one counts, or both without as many.
 * The thousands of payments of a day that files list again and again are all the same case, which is reckoned once.
 */
export const mostBookedByCase = (): MostBooked => {
  const known = new Map<string, number>();
  return async (parts, content, doubts, turns) => {
    const sharing = await sharingAmong(parts, content, doubts, turns);
    if (sharing === null) return await placesOfAll(parts, turns);
    if (sharing.length < FEW_PARTS) return await mostKept(sharing, turns);
    const its = await caseOf(sharing, turns);
    const most = known.get(its) ?? (await mostKept(sharing, turns));
    if (known.size < MOST_CASES) known.set(its, most);
    return most;
  };
};
