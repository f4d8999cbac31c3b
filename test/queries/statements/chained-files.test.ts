import { expect } from 'chai';
import * as fc from 'fast-check';
import { runs } from '../../support/runs.ts';
import { expectBooked, told, toldByAll, toldStatement, type ToldBooking } from '../../support/told-bookings.ts';

const sumOf = (bookings: readonly ToldBooking[], from = 0): number =>
  bookings.reduce((sum, [, change]) => sum + change, from);

const OPENING = 1_000_000;

/** Statements of which each opens with what the one before it closed with, from the day of its first booking on. */
const chained = (pages: readonly (readonly ToldBooking[])[]): readonly Buffer[] =>
  pages.map((page, at) => toldStatement(sumOf(pages.slice(0, at).flat(), OPENING), page[0]?.[0] ?? 10, page));

const DAYS = [9, 10, 11];

/** Days of payouts and fees, in the order of booking. */
const history = fc
  .array(fc.array(fc.constantFrom('fee', 'fee', 'gst', 'payout', 'same'), { minLength: 1, maxLength: 6 }), {
    minLength: DAYS.length,
    maxLength: DAYS.length,
  })
  .map((days) =>
    days.flatMap((kinds, at) =>
      kinds.map((kind, number): ToldBooking => {
        const day = DAYS[at] ?? 9;
        if (kind === 'payout') return [day, -1000 - 100 * at - number, `PAYOUT ${at} ${number}`];
        return kind === 'same' ? [day, -5000, 'PAYOUT TO VENDOR'] : [day, kind === 'fee' ? -59 : -11, kind];
      }),
    ),
  );

const borders = fc.array(fc.nat(1_000), { minLength: 1, maxLength: 6 });

const cutAt = (bookings: readonly ToldBooking[], at: readonly number[]): readonly (readonly ToldBooking[])[] => {
  const ends = [...new Set([...at.map((border) => border % bookings.length), bookings.length])].toSorted(
    (a, b) => a - b,
  );
  return ends.map((end, of) => bookings.slice(ends[of - 1] ?? 0, end)).filter((page) => page.length > 0);
};

describe('bank files in a chain of balances', () => {
  it('are of different bookings also where they are not neighbours: a payout that a weekend’s file has, and the bank pays once more', async () => {
    const payout: ToldBooking = [12, -5000, 'PAYOUT 412345678901'];
    const pages: readonly (readonly ToldBooking[])[] = [
      [[10, -1234, 'PAYOUT 412345678900'], payout],
      [[12, -2345, 'PAYOUT 412345678902']],
      [payout],
    ];
    await expectBooked(chained(pages), pages.flat());
  });

  it('are of different bookings however many follow a file of several days', async () => {
    const fee: ToldBooking = [12, -59, 'FEE'];
    const rest = Array.from({ length: 14 }, (_, of): readonly ToldBooking[] => [
      [12, -2345 - 111 * of, `PAYOUT ${of}`],
      fee,
    ]);
    const pages: readonly (readonly ToldBooking[])[] = [[[10, -1234, 'PAYOUT'], fee], ...rest];
    await expectBooked(chained(pages), pages.flat());
    const weekend: readonly (readonly ToldBooking[])[] = [[[10, -1234, 'PAYOUT'], [10, -59, 'FEE'], fee], ...rest];
    await expectBooked(chained(weekend), weekend.flat());
  });

  for (const [what, again] of [
    ['fee', [14, -59, 'FEE']],
    ['payout', [14, -2345, 'PAYOUT 412345678902']],
  ] as const) {
    it(`are of different bookings where a ${what} of the next day’s statement is of the day before by its date`, async () => {
      const monday: readonly ToldBooking[] = [
        [14, -2345, 'PAYOUT 412345678902'],
        [14, -59, 'FEE'],
      ];
      const tuesday: readonly ToldBooking[] = [again, [15, -3456, 'PAYOUT 412345678903'], [15, -59, 'FEE']];
      const files = [toldStatement(OPENING, 14, monday), toldStatement(sumOf(monday, OPENING), 15, tuesday)];
      await expectBooked(files, [...monday, ...tuesday]);
    });
  }

  it('have all that the bank booked, from the first to the last and from the last to the first', async () => {
    await fc.assert(
      fc.asyncProperty(history, borders, async (bookings, at) => {
        await expectBooked(chained(cutAt(bookings, at)), bookings);
      }),
      { numRuns: runs(60) },
    );
  });

  it('have no more than the bank booked beside copies of them, ranges of days and days until then, in whatever order they come', async () => {
    await fc.assert(
      fc.asyncProperty(
        history,
        borders,
        fc.array(fc.tuple(fc.constantFrom(...DAYS), fc.nat(1_000)), { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 0, max: 2 ** 30 }),
        async (bookings, at, downloads, order) => {
          const pages = chained(cutAt(bookings, at));
          const copies = pages.map((page) => Buffer.concat([page, Buffer.from('\r\n')]));
          const others = downloads.map(([from, until]) => {
            const begin = bookings.findIndex(([day]) => day >= from);
            const its = bookings.slice(begin, Math.max(begin + 1, until % (bookings.length + 1)));
            return toldStatement(sumOf(bookings.slice(0, begin), OPENING), from, its);
          });
          const files = [...pages, ...copies, ...others]
            .map((file, number) => ({ file, by: (order * (number + 7)) % 1_009 }))
            .toSorted((a, b) => a.by - b.by)
            .map(({ file }) => file);
          const lines = Map.groupBy(await toldByAll(files), (line) => line);
          const booked = Map.groupBy(told(bookings), (line) => line);
          for (const [text, its] of lines) expect(its.length, text).to.be.at.most(booked.get(text)?.length ?? 0);
        },
      ),
      { numRuns: runs(60) },
    );
  });
});
