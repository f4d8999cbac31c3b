import type { Turns } from './turns.ts';

/** How many bookings of one content two parts of a day may have in common at other places, by their numbers. */
export type InDoubt = (one: number, other: number) => number;

/** Each way of leaving one out takes twice as long; so many are only there where somebody makes them up. */
const MOST_IN_DOUBT = 8;

/** The places of one content in a part of a day, and the number of the part. */
type PlacesInPart = { readonly number: number; readonly places: ReadonlySet<string> };

/** Whether all of a part may be bookings of another one, which has them at the same places: beside that it tells nothing. */
const isCovered = (part: PlacesInPart, other: PlacesInPart, inDoubt: number): boolean =>
  inDoubt >= part.places.size &&
  part.places.isSubsetOf(other.places) &&
  (part.places.size < other.places.size || other.number < part.number);

/** Parts as they may be left out: those that cover each, and those that may share bookings with another one and don't cover it. */
type Doubted = {
  readonly coveredBy: ReadonlyMap<PlacesInPart, ReadonlySet<PlacesInPart>>;
  readonly contested: readonly PlacesInPart[];
};

const doubtedAmong = async (parts: readonly PlacesInPart[], inDoubt: InDoubt, turns: Turns): Promise<Doubted> => {
  const coveredBy = new Map(parts.map((part) => [part, new Set<PlacesInPart>()]));
  const contested = new Set<PlacesInPart>();
  for (const [at, part] of parts.entries()) {
    for (const other of parts.slice(0, at)) {
      await turns();
      const doubted = inDoubt(part.number, other.number);
      if (doubted === 0) continue;
      if (isCovered(part, other, doubted)) coveredBy.get(part)?.add(other);
      else if (isCovered(other, part, doubted)) coveredBy.get(other)?.add(part);
      else contested.add(part).add(other);
    }
  }
  return { coveredBy, contested: [...contested] };
};

/** How many bookings these parts have at the least: so many places, without what two of them may share. */
const leastBooked = async (parts: readonly PlacesInPart[], inDoubt: InDoubt, turns: Turns): Promise<number> => {
  const places = new Set<string>();
  let shared = 0;
  for (const [at, part] of parts.entries()) {
    for (const other of parts.slice(0, at)) {
      await turns();
      shared += inDoubt(part.number, other.number);
    }
    for (const place of part.places) {
      await turns();
      places.add(place);
    }
  }
  return places.size - shared;
};

/** What the answer hangs on, whatever the content is: which places parts have in common, and what they may share. */
const caseOf = async (parts: readonly PlacesInPart[], inDoubt: InDoubt, turns: Turns): Promise<string> => {
  const numbers = new Map<string, number>();
  const its: string[] = [];
  for (const [at, { number, places }] of parts.entries()) {
    const there: number[] = [];
    for (const place of places) {
      await turns();
      const known = numbers.get(place) ?? numbers.size;
      numbers.set(place, known);
      there.push(known);
    }
    its.push(
      `${there.join(' ')} : ${parts
        .slice(0, at)
        .map((other) => inDoubt(number, other.number))
        .join(' ')}`,
    );
  }
  return its.join(', ');
};

const mostAmong = async (
  parts: readonly PlacesInPart[],
  { coveredBy, contested }: Doubted,
  inDoubt: InDoubt,
  turns: Turns,
): Promise<number> => {
  const mostOf = async (
    kept: ReadonlySet<PlacesInPart>,
    [first, ...others]: readonly PlacesInPart[],
  ): Promise<number> => {
    if (first === undefined) {
      const telling = [...kept].filter((part) => coveredBy.get(part)?.isDisjointFrom(kept) !== false);
      return await leastBooked(telling, inDoubt, turns);
    }
    return Math.max(await mostOf(kept, others), await mostOf(new Set([...kept, first]), others));
  };
  return await mostOf(new Set(parts).difference(new Set(contested)), contested);
};

/** Finds it for one content. Parts are in the order of their numbers. */
export type MostBooked = (parts: readonly PlacesInPart[], inDoubt: InDoubt, turns: Turns) => Promise<number>;

/** Where fewer are contested, it is found faster than what it was found for before. */
const CONTESTED_BY_FEW = 3;
/** Cases that are kept. */
const MOST_CASES = 1_000;

/**
 * How many bookings of one content some parts of a day have between them, as far as nothing tells that they have less. What one has at
 * the places of another one is the same; of parts that may share bookings at other places either one counts, or both without as many.
 * The thousands of payments of a day that files list again and again are all the same case, which is reckoned once.
 */
export const mostBookedByCase = (): MostBooked => {
  const known = new Map<string, number>();
  return async (parts, inDoubt, turns) => {
    const doubted = await doubtedAmong(parts, inDoubt, turns);
    const { length } = doubted.contested;
    if (length > MOST_IN_DOUBT) return 0;
    if (length < CONTESTED_BY_FEW) return await mostAmong(parts, doubted, inDoubt, turns);
    const its = await caseOf(parts, inDoubt, turns);
    const most = known.get(its) ?? (await mostAmong(parts, doubted, inDoubt, turns));
    if (known.size < MOST_CASES) known.set(its, most);
    return most;
  };
};
