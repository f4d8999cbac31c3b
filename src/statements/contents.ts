import type { Exact } from '../domain/exact.ts';
import type { Sha256 } from '../domain/ids.ts';
import type { DayPart } from './day-part.ts';

/** What lines say, how often each, and what it did to the account. */
export type Contents = ReadonlyMap<Sha256, { readonly change: Exact; readonly times: number }>;

export const contentsOf = ({ booked }: DayPart): Contents => {
  const contents = new Map<Sha256, { readonly change: Exact; times: number }>();
  for (const { content, change } of booked) {
    const its = contents.get(content);
    if (its === undefined) contents.set(content, { change, times: 1 });
    else its.times += 1;
  }
  return contents;
};

const timesIn = (contents: Contents, content: Sha256): number => contents.get(content)?.times ?? 0;

/** Those of the first so often as a rule says of the times in both. */
export const combined = (a: Contents, b: Contents, times: (inA: number, inB: number) => number): Contents =>
  new Map(
    [...a].flatMap(([content, one]) => {
      const many = times(one.times, timesIn(b, content));
      return many > 0 ? [[content, { change: one.change, times: many }] as const] : [];
    }),
  );

/** Whether the second has all of the first, as often at least. */
export const isAmong = (some: Contents, all: Contents): boolean =>
  [...some].every(([content, { times }]) => times <= timesIn(all, content));
