import { branded } from '../domain/brand.ts';
import type { BusinessDay } from '../domain/business-day.ts';
import { plainText, plus, type Exact } from '../domain/exact.ts';
import type { Sha256 } from '../domain/ids.ts';
import type { StatementPage } from '../domain/statement-page.ts';
import type { Turns } from './turns.ts';

/** What a line says, and what it did to its account. */
type BookedContent = { readonly content: Sha256; readonly change: Exact };

/** A file's lines of an account as a whole: the balances before and behind them, and the days that the file says it is of. */
export type FileEnds = {
  readonly opening: Exact;
  readonly closing: Exact;
  readonly from: BusinessDay | null;
  readonly to: BusinessDay | null;
  /** What it says of itself as a page; null where it is none, or was imported before that was kept. */
  readonly page: StatementPage | null;
};

/** What a file shows of a day of an account: the balances before and behind what it has of it, and that, in its order. */
export type DayPart = {
  readonly opening: Exact;
  readonly closing: Exact;
  readonly booked: readonly BookedContent[];
  /** The days before it that some of it is dated, though it was booked on this one. */
  readonly datedBackTo: ReadonlySet<BusinessDay>;
  /** The same for all days of a file. */
  readonly file: FileEnds;
  /** Whether the file has days before this one, so that it has the day from its beginning. */
  readonly hasBefore: boolean;
  /** Whether it has days behind this one, so that it has the day to its end. */
  readonly hasBehind: boolean;
};

/**
 * How parts are read. Files of several days are in time, as far as days tell: some banks list the newest booking first within each of
 * them all the same. Files of one day say nothing.
 */
export type Reading = { readonly turnsSeveral: boolean; readonly turnsSingle: boolean };

/** The places of a part of a day as it is read, one behind the other, and behind how many others each of them is. */
export type Run = { readonly places: readonly string[]; readonly at: ReadonlyMap<string, number> };

/**
 * A part of a day as it is read. A place is what its line says, what the account had before it, and how many equal ones of that balance
 * came before it in the part.
 */
export const runOf = async (
  { opening, booked, hasBefore, hasBehind }: DayPart,
  reading: Reading,
  turns: Turns,
): Promise<Run> => {
  const isTurned = hasBefore || hasBehind ? reading.turnsSeveral : reading.turnsSingle;
  const equals = new Map<string, number>();
  const places: string[] = [];
  const at = new Map<string, number>();
  let balance = opening;
  for (const { content, change } of isTurned ? booked.toReversed() : booked) {
    await turns();
    const told = `${content} ${plainText(balance)}`;
    const equal = equals.get(told) ?? 0;
    equals.set(told, equal + 1);
    balance = plus(balance, change);
    const place = `${told} ${equal}`;
    at.set(place, places.length);
    places.push(place);
  }
  return { places, at };
};

/** What the line at a place says. */
export const contentOf = (place: string): Sha256 => branded<Sha256>(place.slice(0, place.indexOf(' ')));

/**
 * Whether places are those of one run of bookings in each of two parts: what both have stands together in each, nothing is before it
 * in one of them, and nothing behind it in one.
 */
export const shareARun = async (a: Run, b: Run, turns: Turns): Promise<boolean> => {
  const [few, many] = a.places.length <= b.places.length ? [a, b] : [b, a];
  let [start, from, length] = [0, 0, 0];
  for (const [at, place] of few.places.entries()) {
    await turns();
    const its = many.at.get(place);
    if (its === undefined) continue;
    if (length === 0) [start, from] = [its, at];
    else if (at !== from + length || its !== start + length) return false;
    length += 1;
  }
  if (length === 0 || (start > 0 && from > 0)) return false;
  return start + length === many.places.length || from + length === few.places.length;
};
