import { plainText, type Exact } from '../domain/exact.ts';
import type { Sha256 } from '../domain/ids.ts';
import type { Contents } from './contents.ts';
import type { DayPart } from './day-part.ts';
import type { Turns } from './turns.ts';

/** A part of a day, and how often it has what. */
type Told = { readonly part: DayPart; readonly contents: Contents };

/** Parts by the balance at one of their ends, those with the fewest bookings first, and the balance at the other end. */
type Ways = { readonly byEnd: ReadonlyMap<string, readonly Told[]>; readonly leadsTo: (part: DayPart) => Exact };

/** The bookings of a part in the order in which others of the day tell them. */
export type ToldByOthers = (whole: Told, turns: Turns) => Promise<DayPart['booked']>;

/** Takes some bookings out of those that are left, if they are all there. */
const takeFrom = async (left: Map<Sha256, number>, some: Contents, turns: Turns): Promise<boolean> => {
  for (const [content, { times }] of some) {
    await turns();
    if ((left.get(content) ?? 0) < times) return false;
  }
  for (const [content, { times }] of some) {
    await turns();
    left.set(content, (left.get(content) ?? 0) - times);
  }
  return true;
};

/** Parts that have fewer bookings than another one, each of which begins where the one before ends, as far as its bookings last. */
const chainedFrom = async (
  end: Exact,
  { byEnd, leadsTo }: Ways,
  { left, fewerThan }: { readonly left: Map<Sha256, number>; readonly fewerThan: number },
  turns: Turns,
): Promise<readonly DayPart[]> => {
  const chain: DayPart[] = [];
  // One that was taken, or is not all there any more, will not be later on.
  const tried = new Map<string, number>();
  let at = plainText(end);
  for (;;) {
    const number = tried.get(at) ?? 0;
    const next = byEnd.get(at)?.[number];
    if (next === undefined || next.part.booked.length >= fewerThan) return chain;
    tried.set(at, number + 1);
    if (!(await takeFrom(left, next.contents, turns))) continue;
    chain.push(next.part);
    at = plainText(leadsTo(next.part));
  }
};

const bookedIn = (parts: readonly DayPart[]): DayPart['booked'] => parts.flatMap(({ booked }) => booked);

/**
 * Finds in which order the pages of a day tell what a file of all of it may list by amounts, or the other way round: from its opening
 * and from its closing balance on, as far as pages lead. What lies between these stands there in the order of the file.
 */
export const toldByOthers = (all: readonly Told[]): ToldByOthers => {
  const shortFirst = all.toSorted((a, b) => a.part.booked.length - b.part.booked.length);
  const on: Ways = {
    byEnd: Map.groupBy(shortFirst, ({ part }): string => plainText(part.opening)),
    leadsTo: ({ closing }) => closing,
  };
  const back: Ways = {
    byEnd: Map.groupBy(shortFirst, ({ part }): string => plainText(part.closing)),
    leadsTo: ({ opening }) => opening,
  };
  return async ({ part: { opening, closing, booked }, contents }, turns) => {
    const left = new Map<Sha256, number>();
    for (const [content, { times }] of contents) {
      await turns();
      left.set(content, times);
    }
    const open = { left, fewerThan: booked.length };
    const first = await chainedFrom(opening, on, open, turns);
    const last = await chainedFrom(closing, back, open, turns);
    const between: DayPart['booked'][number][] = [];
    for (const one of booked) {
      await turns();
      const times = left.get(one.content) ?? 0;
      if (times === 0) continue;
      between.push(one);
      left.set(one.content, times - 1);
    }
    return [...bookedIn(first), ...between, ...bookedIn(last.toReversed())];
  };
};
