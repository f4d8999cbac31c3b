import type { Sha256 } from '../domain/ids.ts';
import type { BookedContent, DayPart } from './day-part.ts';
import type { Turns } from './turns.ts';

/** What equal lines did to the account, each of them, how many there are, and whether they have a number of a booking's own. */
type Equals = Pick<BookedContent, 'change' | 'isNumbered'> & { readonly times: number };

/** What lines say, and how often each. */
export type Contents = ReadonlyMap<Sha256, Equals>;

const timesIn = (contents: Contents, content: Sha256): number => contents.get(content)?.times ?? 0;

export const contentsOf = async ({ booked }: DayPart, turns: Turns): Promise<Contents> => {
  const contents = new Map<Sha256, Equals>();
  for (const { content, change, isNumbered } of booked) {
    await turns();
    contents.set(content, { change, isNumbered, times: timesIn(contents, content) + 1 });
  }
  return contents;
};

/** Those of the first so often as a rule says of the times in both. */
export const combined = async (
  a: Contents,
  b: Contents,
  times: (inA: number, inB: number) => number,
  turns: Turns,
): Promise<Contents> => {
  const both = new Map<Sha256, Equals>();
  for (const [content, one] of a) {
    await turns();
    const many = times(one.times, timesIn(b, content));
    if (many > 0) both.set(content, { ...one, times: many });
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
