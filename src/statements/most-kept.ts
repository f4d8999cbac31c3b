import type { Turns } from './turns.ts';

/** What a part of a day has of one content at its places, and how many of these each of some other parts may have at other places. */
export type SharingPart = { readonly places: ReadonlySet<string>; readonly shares: ReadonlyMap<SharingPart, number> };

/** Parts that count, with all their places and what they may share among them, and those of which it is still open. */
type Choice = {
  readonly kept: Set<SharingPart>;
  readonly open: Set<SharingPart>;
  readonly places: Set<string>;
  shared: number;
};

const copyOf = ({ kept, open, places, shared }: Choice): Choice => ({
  kept: new Set(kept),
  open: new Set(open),
  places: new Set(places),
  shared,
});

const sharedWith = ({ shares }: SharingPart, others: ReadonlySet<SharingPart>): number => {
  let shared = 0;
  for (const [other, many] of shares) if (others.has(other)) shared += many;
  return shared;
};

const keep = (choice: Choice, part: SharingPart): void => {
  choice.shared += sharedWith(part, choice.kept);
  choice.kept.add(part);
  choice.open.delete(part);
  for (const place of part.places) choice.places.add(place);
};

/** Whether all of a part may be bookings of another one, which has them at the same places: beside that it tells nothing. */
const isCovered = (part: SharingPart, by: SharingPart): boolean =>
  (part.shares.get(by) ?? 0) >= part.places.size && part.places.isSubsetOf(by.places);

/**
 * Decides of parts where one way is no worse than the other, whatever becomes of the others: one that adds no more than it may share
 * with those that count is left out, and one that may share with none but such as it covers counts in their stead.
 */
const decideWhatIsSure = async (choice: Choice, turns: Turns): Promise<void> => {
  for (let isDecided = false; !isDecided;) {
    isDecided = true;
    for (const part of choice.open) {
      await turns();
      const shared = sharedWith(part, choice.kept);
      const others = [...part.shares.keys()].filter((other) => choice.open.has(other));
      if (part.places.difference(choice.places).size <= shared) choice.open.delete(part);
      else if (shared === 0 && others.every((other) => isCovered(other, part))) {
        keep(choice, part);
        for (const other of others) choice.open.delete(other);
      } else continue;
      isDecided = false;
    }
  }
};

/** That of the parts still open which may share the most with others of them; undefined where none is open. */
const mostSharing = ({ open }: Choice): SharingPart | undefined => {
  let [most, found]: [number, SharingPart | undefined] = [-1, undefined];
  for (const part of open) {
    const shared = sharedWith(part, open);
    if (shared > most) [most, found] = [shared, part];
  }
  return found;
};

/** How many bookings a choice comes to at the most, once it is decided of all parts. */
const atMost = ({ open, places, shared }: Choice): number => {
  const all = new Set(places);
  for (const part of open) for (const place of part.places) all.add(place);
  return all.size - shared;
};

/** So often both ways are gone, as many as eight parts have. More of them that hang on one another are only there where somebody makes them up. */
const MOST_BOTH_WAYS = 256;

/**
 * The most that some of these parts prove: their places, without what each two of them may share. What more parts than can be gone
 * through prove is reckoned of those that were: never less than any one part proves, and less than all of them might.
 */
export const mostKept = async (parts: readonly SharingPart[], turns: Turns): Promise<number> => {
  let most = parts.reduce((size, { places }) => Math.max(size, places.size), 0);
  let left = MOST_BOTH_WAYS;
  const goOn = async (choice: Choice): Promise<void> => {
    await decideWhatIsSure(choice, turns);
    const part = mostSharing(choice);
    if (part === undefined) most = Math.max(most, choice.places.size - choice.shared);
    if (part === undefined || atMost(choice) <= most) return;
    const without = copyOf(choice);
    without.open.delete(part);
    await goOn(without);
    left -= 1;
    if (left < 0) return;
    keep(choice, part);
    await goOn(choice);
  };
  await goOn({ kept: new Set(), open: new Set(parts), places: new Set(), shared: 0 });
  return most;
};
