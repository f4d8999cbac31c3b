import type { Sha256 } from '../domain/ids.ts';
import type { AccountPart } from './account-part.ts';

/** Whether a part has the lines of another one's beginning or end, in whatever order each lists them. */
const isWithin = (part: AccountPart, whole: AccountPart): boolean =>
  part !== whole &&
  (part.opening === whole.opening || part.closing === whole.closing) &&
  [...part.counts].every(([content, times]) => times <= (whole.counts.get(content) ?? 0));

type Places = ReadonlySet<string>;

/** Each way of leaving one out takes twice as long; so many are only there where somebody makes them up. */
const MOST_IN_DOUBT = 8;

/** How many places these have, of those that are the same bookings at other places only one. */
const mostPlaces = (all: readonly Places[], areInDoubt: (a: Places, b: Places) => boolean): number => {
  const inDoubt = all.filter((a) => all.some((b) => areInDoubt(a, b)));
  if (inDoubt.length > MOST_IN_DOUBT) return 0;
  const [first] = inDoubt;
  if (first === undefined) return new Set(all.flatMap((places) => [...places])).size;
  return Math.max(
    mostPlaces(
      all.filter((places) => places !== first),
      areInDoubt,
    ),
    mostPlaces(
      all.filter((places) => !areInDoubt(first, places)),
      areInDoubt,
    ),
  );
};

/**
 * How often what a line says was booked, as far as the balances of these parts of its account tell: equal lines of two parts are
 * two bookings where the account had another balance before each. Where one part has the lines of the other one's beginning or
 * end in another order, balances between them tell nothing, and one of both counts. A further part never makes it less, and
 * more by no more than the part has: so lines are the same in whatever order files are imported.
 */
export const timesBooked = (parts: readonly AccountPart[]): ((content: Sha256) => number) => {
  const areOfOne = parts.map((part) => parts.map((other) => isWithin(part, other) || isWithin(other, part)));
  return (content) => {
    const indexes = new Map<Places, number>();
    for (const [index, { places }] of parts.entries()) {
      const its = places.get(content);
      if (its !== undefined) indexes.set(its, index);
    }
    return mostPlaces([...indexes.keys()], (a, b) => {
      const areOne = areOfOne[indexes.get(a) ?? -1]?.[indexes.get(b) ?? -1] ?? false;
      return areOne && !a.isSubsetOf(b) && !b.isSubsetOf(a);
    });
  };
};
