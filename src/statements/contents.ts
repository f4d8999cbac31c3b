import type { Exact } from '../domain/exact.ts';
import type { Sha256 } from '../domain/ids.ts';
import type { DayPart } from './day-part.ts';
import type { Turns } from './turns.ts';

/** What lines say, how often each, and what it did to the account. */
export type Contents = ReadonlyMap<Sha256, { readonly change: Exact; readonly times: number }>;

/** What the lines of a part of a day say. */
export const contentsOf = async ({ booked }: DayPart, turns: Turns): Promise<Contents> => {
  const contents = new Map<Sha256, { readonly change: Exact; times: number }>();
  for (const { content, change } of booked) {
    await turns();
    const its = contents.get(content);
    if (its === undefined) contents.set(content, { change, times: 1 });
    else its.times += 1;
  }
  return contents;
};

export const timesIn = (contents: Contents, content: Sha256): number => contents.get(content)?.times ?? 0;

/** What two have in common, as often as both have it. */
export const inCommon = async (a: Contents, b: Contents, turns: Turns): Promise<Contents> => {
  // A page beside a month: what takes long is to take no longer than the page is.
  const [few, many] = a.size <= b.size ? [a, b] : [b, a];
  const both = new Map<Sha256, { readonly change: Exact; readonly times: number }>();
  for (const [content, one] of few) {
    await turns();
    const times = Math.min(one.times, timesIn(many, content));
    if (times > 0) both.set(content, { change: one.change, times });
  }
  return both;
};

/** What the first has beside the second. */
export const without = async (all: Contents, some: Contents, turns: Turns): Promise<Contents> => {
  const rest = new Map<Sha256, { readonly change: Exact; readonly times: number }>();
  for (const [content, one] of all) {
    await turns();
    const times = one.times - timesIn(some, content);
    if (times > 0) rest.set(content, { change: one.change, times });
  }
  return rest;
};

/** Whether the second has all of the first, as often at least. */
export const isAmong = async (some: Contents, all: Contents, turns: Turns): Promise<boolean> => {
  for (const [content, { times }] of some) {
    await turns();
    if (times > timesIn(all, content)) return false;
  }
  return true;
};
