import type { BusinessDay } from '../domain/business-day.ts';
import { exactOrd, plainText, plus } from '../domain/exact.ts';
import type { AccountPart } from './account-part.ts';
import type { DayPart, FileEnds } from './day-part.ts';
import type { Turns } from './turns.ts';

/** Whether a file goes on behind another one of the account, at once or through others in between. */
export type IsBehind = (later: FileEnds, earlier: FileEnds) => Promise<boolean>;

const isSame = exactOrd.equals;

type DayAtEnd = { readonly day: BusinessDay; readonly part: DayPart };

/** A file with what it has of its first and of its last day; null of one that lies between, and is in the file whole. */
type Link = { readonly file: FileEnds; readonly first: DayAtEnd | null; readonly last: DayAtEnd | null };

const linkOf = (account: AccountPart): readonly Link[] => {
  let [first, last]: [DayAtEnd | null, DayAtEnd | null] = [null, null];
  for (const [day, part] of account) {
    if (!part.hasBefore) first = { day, part };
    if (!part.hasBehind) last = { day, part };
  }
  const file = (first ?? last)?.part.file;
  return file === undefined ? [] : [{ file, first, last }];
};

/** Finds something of a file once. */
const keptByFile = <A>(find: (link: Link) => Promise<A>): ((link: Link) => Promise<A>) => {
  const kept = new Map<Link, A>();
  return async (link) => {
    const known = kept.get(link);
    if (known !== undefined) return known;
    const found = await find(link);
    kept.set(link, found);
    return found;
  };
};

/** The balances that the account had in a part of a day before its end, in whichever order that lists its bookings. */
const balancesBefore = async ({ opening, booked }: DayPart, turns: Turns): Promise<ReadonlySet<string>> => {
  const balances = new Set<string>();
  for (const inOrder of [booked, booked.toReversed()]) {
    let reached = opening;
    for (const { change } of inOrder) {
      await turns();
      balances.add(plainText(reached));
      reached = plus(reached, change);
    }
  }
  return balances;
};

/**
 * Whether a file is of days behind those of another one, or goes on within the last of them. On one day alone what is dated back tells
 * against that: where a bank sorts by days, such a file may tell the day again with other balances.
 */
const isLater = (later: Link, earlier: Link): boolean => {
  const [first, last] = [later.first, earlier.last];
  const [from, to] = [later.file.from, earlier.file.to];
  if (first === null || last === null) return false;
  if (from !== null && to !== null && (to < from || (to === from && last.day < first.day))) return true;
  return first.day === last.day && first.part.datedBackTo.size === 0 && last.part.datedBackTo.size === 0;
};

/** Whether a balance may have come back: a file that begins or ends alike says nothing of what is behind another one. */
const areAlike = (a: FileEnds, b: FileEnds): boolean => isSame(a.opening, b.opening) || isSame(a.closing, b.closing);

/**
 * Which files go on where others end. The balances at the ends of files are the account's in whatever order they list; one that a file
 * began with, or had before or within its last day, says nothing: the account may have come back to it, as one does that is swept. So a
 * file that goes on behind another one, which goes on behind a third, is behind that where its balance is none of the third's either.
 */
export const chainedFiles = (ofAccount: readonly AccountPart[], turns: Turns): IsBehind => {
  const links = new Map(ofAccount.flatMap(linkOf).map((link) => [link.file, link]));
  const byOpening = Map.groupBy(links.values(), ({ file }) => plainText(file.opening));
  const closings = new Set<string>(links.values().map(({ file }) => plainText(file.closing)));
  const had = keptByFile(async ({ last }) => (last === null ? null : await balancesBefore(last.part, turns)));
  const next = keptByFile(async (link) => {
    const its: Link[] = [];
    const before = await had(link);
    const opening = plainText(link.file.closing);
    if (before?.has(opening) !== false) return its;
    for (const other of byOpening.get(opening) ?? []) {
      await turns();
      if (!areAlike(other.file, link.file) && isLater(other, link)) its.push(other);
    }
    return its;
  });
  const behind = keptByFile(async (begin) => {
    const before = await had(begin);
    const reached = new Set([begin]);
    // What is added to a set while it is gone through is gone through too.
    for (const link of reached) {
      for (const other of await next(link)) {
        await turns();
        if (!areAlike(other.file, begin.file) && before?.has(plainText(other.file.opening)) === false)
          reached.add(other);
      }
    }
    return reached;
  });
  return async (later, earlier) => {
    const [one, other] = [links.get(earlier), links.get(later)];
    if (one === undefined || other === undefined || one === other) return false;
    // A month to date is asked for beside each page of its last day, and nothing leads to where it begins.
    if (!closings.has(plainText(other.file.opening))) return false;
    return (await behind(one)).has(other);
  };
};
