import type { DayPart, Run } from './day-part.ts';
import { areOtherPages } from './other-pages.ts';
import type { Turns } from './turns.ts';

/**
 * Parts of a day as they are read, each place of pages that say to be two ones taken apart: an account that comes back to a balance
 * may book the same again there.
 */
export const placesOfPages = async (
  parts: readonly DayPart[],
  runs: readonly Run[],
  turns: Turns,
): Promise<readonly Run[]> => {
  const holders = new Map<string, DayPart[]>();
  const apart: Run[] = [];
  for (const [number, run] of runs.entries()) {
    const part = parts[number];
    if (part === undefined || part.file.page === null) {
      apart.push(run);
      continue;
    }
    const places: string[] = [];
    for (const place of run.places) {
      await turns();
      const others = holders.get(place) ?? [];
      const isOther = others.some(({ file }) => areOtherPages(file, part.file));
      places.push(isOther ? `${place} of page ${number}` : place);
      holders.set(place, [...others, part]);
    }
    apart.push({ places, at: new Map(places.map((place, at) => [place, at])) });
  }
  return apart;
};
