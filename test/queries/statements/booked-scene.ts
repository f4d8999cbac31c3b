import { expect } from 'chai';
import * as fc from 'fast-check';
import { imported } from '../../support/bank-imports.ts';
import { asBeforeTheKey } from '../../support/former-line-ids.ts';
import { right } from '../../support/right.ts';
import { routeDoubles, type RouteDoubles } from '../../support/route-dependencies.ts';

/** A booking of a bank: what it did to the account, in whole units, on a day of September. */
export type Booked = { readonly day: number; readonly change: number };

/** The place of a statement among the bookings: its first one, and the one behind its last. */
export type Cut = readonly [number, number];

/** What an account had before its booking of a number. */
export const balanceAt = (bookings: readonly Booked[], at: number): number =>
  bookings.slice(0, at).reduce((sum, { change }) => sum + change, 1000);

const dated = (day: number): string => String(day).padStart(2, '0');

/** A balance as a statement of MT940 has it. */
export const balance = (amount: number, day: number): string =>
  `${amount < 0 ? 'D' : 'C'}2609${dated(day)}INR${Math.abs(amount)},`;

/** The entries of bookings as such a statement has them. */
export const entriesOf = (bookings: readonly Booked[]): readonly string[] =>
  bookings.flatMap(({ day, change }) => [
    `:61:2609${dated(day)}09${dated(day)}${change < 0 ? 'D' : 'C'}${Math.abs(change)},NMSCNONREF`,
    ':86:BANK FEE',
  ]);

/** A statement as the bank writes it; its number makes it a file of its own. */
export const statement = (opening: string, entries: readonly string[], closing: string, number = 1): Buffer =>
  Buffer.from(
    [
      `:20:X${number}`,
      ':25:12345678',
      `:28C:${number}/1`,
      `:60F:${opening}`,
      ...entries,
      `:62F:${closing}`,
      '-',
      '',
    ].join('\r\n'),
  );

/** How a file lists the bookings of a statement, given the oldest one first. */
export type Listing = (bookings: readonly Booked[]) => readonly Booked[];

export const OLDEST_FIRST: Listing = (bookings) => bookings;
export const NEWEST_FIRST: Listing = (bookings) => bookings.toReversed();
/** As it comes within a day, days one behind the other. */
export const SHUFFLED =
  (order: readonly number[]): Listing =>
  (bookings) =>
    bookings
      .map((booked, at) => ({ booked, by: order[at] ?? 0 }))
      .toSorted((a, b) => (a.booked.day === b.booked.day ? a.by - b.by : a.booked.day - b.booked.day))
      .map(({ booked }) => booked);

/** A file of the bookings between two places, with the balances that stood there. */
export const cutOut = (
  bookings: readonly Booked[],
  [from, to]: Cut,
  number = 1,
  listed: Listing = OLDEST_FIRST,
): Buffer => {
  const dayAt = (at: number): number => (bookings[at] ?? bookings.at(-1))?.day ?? 10;
  return statement(
    balance(balanceAt(bookings, from), dayAt(Math.max(0, from - 1))),
    entriesOf(listed(bookings.slice(from, to))),
    balance(balanceAt(bookings, to), dayAt(Math.max(from, to - 1))),
    number,
  );
};

/** A booking as `inLedger` and `afterAll` tell it. */
export const textOf = ({ day, change }: Booked): string => `${day} ${change}`;

/** What the ledger has of bookings, each as often as it counts. */
export const inLedger = async ({ readModels }: RouteDoubles): Promise<readonly string[]> => {
  const files = right(await readModels.statements({ after: null, limit: 500 })()).data;
  const lines = new Map<string, string>();
  for (const { statementId } of files) {
    for (const line of right(await readModels.statementLines({ statementId, after: null, limit: 500 })()).data)
      lines.set(line.lineId, `${Number(line.bookedOn.slice(-2))} ${line.direction === 'in' ? '' : '-'}${line.amount}`);
  }
  return [...lines.values()].toSorted();
};

/** @param former how many of the first files a program imported that gave ids without a key */
export const afterAll = async (files: readonly Buffer[], former = 0): Promise<readonly string[]> => {
  let doubles = routeDoubles();
  let fresh = 0;
  for (const [at, file] of files.entries()) {
    if (at === former && at > 0) doubles = await asBeforeTheKey(doubles);
    fresh += (await imported(doubles, file)).statement.newLines;
  }
  const lines = await inLedger(doubles);
  if (new Set(files.map(String)).size === files.length) expect(fresh).to.equal(lines.length);
  return lines;
};

/** The bookings that are in any of the statements. */
export const covered = (bookings: readonly Booked[], cuts: readonly Cut[]): readonly string[] =>
  bookings
    .filter((_, at) => cuts.some(([from, to]) => from <= at && at < to))
    .map(textOf)
    .toSorted();

/** Whether a statement opens with the balance that another one closes with, and is not the one behind it: by chance they look so. */
export const opensWhereAnotherCloses = (bookings: readonly Booked[], cuts: readonly Cut[]): boolean =>
  cuts.some(([from]) => cuts.some(([, to]) => from !== to && balanceAt(bookings, from) === balanceAt(bookings, to)));

/**
 * Whether a statement leads from the end of another one to the beginning of a third: one that is imported behind both may come too
 * late for them (docs/spec/statements.md, Equal lines, What is left).
 */
export const liesBetweenOthers = (bookings: readonly Booked[], cuts: readonly Cut[]): boolean =>
  cuts.some((cut) => {
    const [opening, closing] = cut.map((at) => balanceAt(bookings, at));
    const others = cuts.filter((other) => other !== cut);
    return (
      others.some(([, to]) => balanceAt(bookings, to) === opening) &&
      others.some(([from]) => balanceAt(bookings, from) === closing)
    );
  });

/** Bookings of some days, one after the other, and statements cut out of them. */
export const scene = (change: fc.Arbitrary<number>, lastDay = 13) =>
  fc
    .array(fc.record({ day: fc.integer({ min: 10, max: lastDay }), change }), { minLength: 1, maxLength: 12 })
    .map((bookings) => bookings.toSorted((a, b) => a.day - b.day))
    .chain((bookings) =>
      fc.record({
        bookings: fc.constant(bookings),
        cuts: fc.array(
          fc
            .tuple(fc.nat(bookings.length), fc.nat(bookings.length))
            .map(([a, b]): Cut => [Math.min(a, b), Math.max(a, b)]),
          { minLength: 1, maxLength: 6 },
        ),
      }),
    );

/** A booking that comes often. */
export const FEE: Booked = { day: 10, change: -5 };
/** It, so many times. */
export const fees = (times: number): readonly Booked[] => Array.from({ length: times }, () => FEE);
