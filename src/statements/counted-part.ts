import { contentsOf, type Contents } from './contents.ts';
import type { DayPart } from './day-part.ts';
import { listingOf, type Listing } from './listing.ts';
import { toldByOthers } from './told-by-others.ts';
import type { Turns } from './turns.ts';

/**
 * A part of a day, how often it has what, and orders in which that may have been booked: that of its file, the other way round, and as
 * others of the day tell it.
 */
export type CountedPart = {
  readonly part: DayPart;
  readonly contents: Contents;
  readonly listings: readonly Listing[];
};

/** Parts of a day, counted beside one another. */
export const countedParts = async (parts: readonly DayPart[], turns: Turns): Promise<readonly CountedPart[]> => {
  const all: Pick<CountedPart, 'part' | 'contents'>[] = [];
  for (const part of parts) all.push({ part, contents: await contentsOf(part, turns) });
  const asTold = toldByOthers(all);
  const counted: CountedPart[] = [];
  for (const one of all) {
    const { opening, booked } = one.part;
    const listings: Listing[] = [];
    for (const its of [booked, booked.toReversed(), await asTold(one, turns)])
      listings.push(await listingOf(opening, its, turns));
    counted.push({ ...one, listings });
  }
  return counted;
};
