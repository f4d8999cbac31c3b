import { expect } from 'chai';
import { imported } from './bank-imports.ts';
import { right } from './right.ts';
import { routeDoubles } from './route-dependencies.ts';

/** A booking of September: its day, what it did to the account, and what the bank says of it. */
export type ToldBooking = readonly [day: number, change: number, text: string];

const dated = (day: number): string => String(day).padStart(2, '0');

const balance = (amount: number, day: number): string =>
  `${amount < 0 ? 'D' : 'C'}2609${dated(day)}INR${Math.abs(amount)},`;

/** How a statement names itself: its numbers (field 28C), and whether pages are before and behind it. */
type Named = { readonly numbers: string; readonly isFollowing: boolean; readonly isFollowed: boolean };

const statementNamed = (
  { numbers, isFollowing, isFollowed }: Named,
  opening: number,
  openedOn: number,
  bookings: readonly ToldBooking[],
): Buffer =>
  Buffer.from(
    [
      `:20:X${opening}`,
      ':25:12345678',
      `:28C:${numbers}`,
      `:60${isFollowing ? 'M' : 'F'}:${balance(opening, openedOn)}`,
      ...bookings.flatMap(([day, change, text]) => [
        `:61:2609${dated(day)}09${dated(day)}${change < 0 ? 'D' : 'C'}${Math.abs(change)},NMSCNONREF`,
        `:86:${text}`,
      ]),
      `:62${isFollowed ? 'M' : 'F'}:${balance(
        sumOf(bookings, opening),
        bookings.reduce((last, [day]) => Math.max(last, day), openedOn),
      )}`,
      '-',
      '',
    ].join('\r\n'),
  );

const sumOf = (bookings: readonly ToldBooking[], opening: number): number =>
  bookings.reduce((sum, [, change]) => sum + change, opening);

/** A statement as banks write it, between a balance of a day and what its bookings make of it. */
export const toldStatement = (opening: number, openedOn: number, bookings: readonly ToldBooking[]): Buffer =>
  statementNamed(
    { numbers: `${Math.abs(opening)}/1`, isFollowing: false, isFollowed: false },
    opening,
    openedOn,
    bookings,
  );

/** The pages of statement 69, which say that they follow one another: a file each. */
export const toldPages = (
  opening: number,
  openedOn: number,
  pages: readonly (readonly ToldBooking[])[],
  numberOf = (page: number): string => `69/${page}`,
): readonly Buffer[] =>
  pages.map((bookings, at) =>
    statementNamed(
      { numbers: numberOf(at + 1), isFollowing: at > 0, isFollowed: at < pages.length - 1 },
      sumOf(pages.slice(0, at).flat(), opening),
      openedOn,
      bookings,
    ),
  );

/** What the ledger has once these are imported one after the other. */
export const toldByAll = async (files: readonly Buffer[]): Promise<readonly string[]> => {
  const doubles = routeDoubles();
  const { readModels } = doubles;
  for (const file of files) await imported(doubles, file);
  const lines = new Map<string, string>();
  for (const { statementId } of right(await readModels.statements({ after: null, limit: 500 })()).data) {
    for (const line of right(await readModels.statementLines({ statementId, after: null, limit: 500 })()).data)
      lines.set(
        line.lineId,
        `${Number(line.bookedOn.slice(-2))} ${line.direction === 'in' ? '' : '-'}${line.amount} ${line.text}`,
      );
  }
  return [...lines.values()].toSorted();
};

/** As `toldByAll` shows them. */
export const told = (bookings: readonly ToldBooking[]): readonly string[] =>
  bookings.map(([day, change, text]) => `${day} ${change} ${text}`).toSorted();

/** Either way round: what a file brings must not hang on which one is imported first. */
export const expectBooked = async (files: readonly Buffer[], bookings: readonly ToldBooking[]): Promise<void> => {
  expect(await toldByAll(files)).to.deep.equal(told(bookings));
  expect(await toldByAll(files.toReversed())).to.deep.equal(told(bookings));
};
