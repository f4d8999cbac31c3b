import { plainText, plus, type Exact } from '../domain/exact.ts';
import type { Sha256 } from '../domain/ids.ts';
import type { Contents } from './contents.ts';
import type { DayPart } from './day-part.ts';
import type { Turns } from './turns.ts';

/** The bookings of a part of a day, one behind the other: behind how many a balance is first reached, and where each content stands. */
export type Listing = {
  readonly firstAt: ReadonlyMap<string, number>;
  readonly places: ReadonlyMap<Sha256, readonly number[]>;
};

/** Lists bookings as they stand, from the balance before the first of them on. */
export const listingOf = async (opening: Exact, booked: DayPart['booked'], turns: Turns): Promise<Listing> => {
  const firstAt = new Map<string, number>();
  const places = new Map<Sha256, number[]>();
  let balance = opening;
  for (const [at, { content, change }] of booked.entries()) {
    await turns();
    const text = plainText(balance);
    if (!firstAt.has(text)) firstAt.set(text, at);
    const its = places.get(content);
    if (its === undefined) places.set(content, [at]);
    else its.push(at);
    balance = plus(balance, change);
  }
  return { firstAt, places };
};

const standsBehind = async (
  { firstAt, places }: Listing,
  balance: string,
  some: Contents,
  turns: Turns,
): Promise<boolean> => {
  const from = firstAt.get(balance);
  if (from === undefined) return false;
  for (const [content, { times }] of some) {
    await turns();
    const its = places.get(content) ?? [];
    if ((its[its.length - times] ?? -1) < from) return false;
  }
  return true;
};

/**
 * Whether some bookings stand behind a balance in one of some listings: what is before it there leads to it without them. Where the
 * balance comes back, the first time leaves the most behind it.
 */
export const standBehind = async (
  listings: readonly Listing[],
  balance: Exact,
  some: Contents,
  turns: Turns,
): Promise<boolean> => {
  const text = plainText(balance);
  for (const listing of listings) if (await standsBehind(listing, text, some, turns)) return true;
  return false;
};
