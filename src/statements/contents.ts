import type { Exact } from '../domain/exact.ts';
import type { Sha256 } from '../domain/ids.ts';
import type { DayPart } from './day-part.ts';
import type { Turns } from './turns.ts';

/** What lines say, how often each, and what it did to the account. */
export type Contents = ReadonlyMap<Sha256, { readonly change: Exact; readonly times: number }>;

const contentsOf = async ({ booked }: DayPart, turns: Turns): Promise<Contents> => {
  const contents = new Map<Sha256, { readonly change: Exact; times: number }>();
  for (const { content, change } of booked) {
    await turns();
    const its = contents.get(content);
    if (its === undefined) contents.set(content, { change, times: 1 });
    else its.times += 1;
  }
  return contents;
};

/** A part of a day, and how often it has what. */
export type CountedPart = { readonly part: DayPart; readonly contents: Contents };

export const countedPart = async (part: DayPart, turns: Turns): Promise<CountedPart> => ({
  part,
  contents: await contentsOf(part, turns),
});

export const timesIn = (contents: Contents, content: Sha256): number => contents.get(content)?.times ?? 0;

/** Those of the first so often as a rule says of the times in both. */
export const combined = async (
  a: Contents,
  b: Contents,
  times: (inA: number, inB: number) => number,
  turns: Turns,
): Promise<Contents> => {
  const both = new Map<Sha256, { readonly change: Exact; readonly times: number }>();
  for (const [content, one] of a) {
    await turns();
    const many = times(one.times, timesIn(b, content));
    if (many > 0) both.set(content, { change: one.change, times: many });
  }
  return both;
};

/** Whether the second has all of the first, as often at least. */
export const isAmong = async (some: Contents, all: Contents, turns: Turns): Promise<boolean> => {
  for (const [content, { times }] of some) {
    await turns();
    if (times > timesIn(all, content)) return false;
  }
  return true;
};
