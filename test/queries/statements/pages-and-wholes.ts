import * as fc from 'fast-check';
import { balance, balanceAt, type Booked, covered, type Cut, cutOut, entriesOf, statement } from './booked-scene.ts';

/** Fees among amounts of which no sum is another one's, so that no balance comes back. */
export const amongUniqueAmounts = (bookings: readonly Booked[]): readonly Booked[] =>
  bookings.map(({ day, change }, at) => ({ day, change: change === -5 ? -5 : change * 1000 * 2 ** at }));

/** Statements that follow one another, of one day each, of all or of some of the bookings, and files that have some days whole, each day in any order. */
export const pagesAndWholes = (change: fc.Arbitrary<number>, told = (bookings: readonly Booked[]) => bookings) =>
  fc
    .array(fc.record({ day: fc.integer({ min: 10, max: 12 }), change }), { minLength: 2, maxLength: 9 })
    .map((bookings) => told(bookings.toSorted((a, b) => a.day - b.day)))
    .chain((bookings) => {
      const shuffled = fc.shuffledSubarray([...bookings.keys()], { minLength: bookings.length });
      return fc.record({
        bookings: fc.constant(bookings),
        pages: fc
          .subarray([...bookings.keys()].slice(1))
          .map(
            (at) =>
              new Set(
                [...at, ...bookings.keys()].filter(
                  (one) => one > 0 && (at.includes(one) || bookings[one]?.day !== bookings[one - 1]?.day),
                ),
              ),
          )
          .map((at) => [0, ...[...at].toSorted((a, b) => a - b), bookings.length])
          .map((at) => at.slice(1).map((to, page): Cut => [at[page] ?? 0, to])),
        left: fc.array(fc.nat(9), { maxLength: 2 }),
        wholes: fc.array(
          fc.record({
            days: fc.constantFrom<readonly number[]>([10], [11], [12], [10, 11], [10, 11, 12]),
            order: shuffled,
          }),
          { minLength: 1, maxLength: 2 },
        ),
        isFirst: fc.array(fc.double({ noNaN: true }), { minLength: 12, maxLength: 12 }),
      });
    })
    .map(({ bookings, pages, left, wholes, isFirst }) => {
      const cuts = pages.filter((_, at) => !left.includes(at));
      const files = wholes.flatMap(({ days, order }, number) => {
        const [from, to] = [
          bookings.findIndex(({ day }) => days.includes(day)),
          bookings.findLastIndex(({ day }) => days.includes(day)) + 1,
        ];
        if (from === -1) return [];
        cuts.push([from, to]);
        const listed = order
          .filter((at) => from <= at && at < to)
          .flatMap((at) => bookings[at] ?? [])
          .toSorted((a, b) => a.day - b.day);
        return [
          statement(
            balance(balanceAt(bookings, from), days[0] ?? 10),
            entriesOf(listed),
            balance(balanceAt(bookings, to), days.at(-1) ?? 12),
            90 + number,
          ),
        ];
      });
      const inTurn = cuts.slice(0, cuts.length - files.length).map((cut, number) => cutOut(bookings, cut, number));
      return {
        lines: covered(bookings, cuts),
        files: [...inTurn, ...files]
          .map((file, at) => ({ file, at: isFirst[at] ?? 0 }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ file }) => file),
      };
    });
