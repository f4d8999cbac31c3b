import { expect } from 'chai';
import * as fc from 'fast-check';
import { runs } from '../../support/runs.ts';
import { told, toldByAll, toldStatement, type ToldBooking } from '../../support/told-bookings.ts';

const OPENING = 100_000;
const RENT: ToldBooking = [9, -4321, 'RENT'];
const DATED_BACK: ToldBooking = [9, -7, 'DATED BACK'];
const FEE: ToldBooking = [10, -5, 'FEE'];

/** What the bank made of a booking of the morning by the evening. */
const amended = {
  nothing: (booked: ToldBooking): readonly ToldBooking[] => [booked],
  text: ([day, change, text]: ToldBooking): readonly ToldBooking[] => [[day, change, `${text} AMENDED`]],
  amount: ([day, change, text]: ToldBooking): readonly ToldBooking[] => [[day, change - 1, text]],
  day: ([day, change, text]: ToldBooking): readonly ToldBooking[] => [[day + 1, change, text]],
  taken: (): readonly ToldBooking[] => [],
};

/** A file of some days, as a bank tells them that sorts by days. */
type Telling = { readonly file: Buffer; readonly lines: readonly ToldBooking[] };

const telling = (bookings: readonly ToldBooking[], from: number, to: number): Telling => {
  const lines = bookings.filter(([day]) => from <= day && day <= to).toSorted(([a], [b]) => a - b);
  const before = bookings.filter(([day]) => day < from).reduce((sum, [, change]) => sum + change, OPENING);
  return { file: toldStatement(before, from, lines), lines };
};

const days = (...some: (readonly [number, number])[]) => fc.constantFrom(...some);

/** A day of payouts and fees as two files tell it, with others or alone: one of noon, and one that has what came behind that, and what the bank did to it. */
const retold = fc
  .record({
    payouts: fc.integer({ min: 5, max: 7 }),
    fees: fc.nat(3),
    order: fc.array(fc.nat(100), { minLength: 10, maxLength: 10 }),
    how: fc.constantFrom(...Object.values(amended)),
    at: fc.nat(100),
    isDatedBack: fc.boolean(),
    later: fc.nat(3),
    noon: days([9, 10], [10, 10]),
    evening: days([9, 10], [10, 10], [10, 11], [9, 11]),
  })
  .map(({ payouts, fees, order, how, at, isDatedBack, later, noon, evening }) => {
    const morning = [
      ...Array.from({ length: payouts }, (_, of): ToldBooking => [10, -1000 * 2 ** of - of, `PAYOUT ${of}`]),
      ...Array.from({ length: fees }, () => FEE),
    ]
      .map((booked, by) => ({ booked, by: order[by] ?? 0 }))
      .toSorted((a, b) => a.by - b.by)
      .map(({ booked }) => booked);
    const byEvening: readonly ToldBooking[] = [
      RENT,
      ...(isDatedBack ? [DATED_BACK] : []),
      ...morning.flatMap((booked, of) => (of === at % morning.length ? how(booked) : [booked])),
      ...Array.from({ length: later }, (): ToldBooking => FEE),
      [10, -333, 'LATER'],
      [11, -444, 'NEXT'],
    ];
    const isOfThatDayAlone = noon[0] === 10 && evening[0] === 10 && evening[1] === 10;
    return {
      isOfThatDayAlone,
      isDatedBack,
      tellings: [telling([RENT, ...morning], ...noon), telling(byEvening, ...evening)],
    };
  })
  // Two files of one day alone with other balances are pages of it for all that is known.
  .filter(({ isOfThatDayAlone, isDatedBack }) => !isOfThatDayAlone || !isDatedBack)
  .map(({ tellings }) => tellings);

describe('a day that two bank files tell, of which the bank changed something in between', () => {
  it('has no booking more than the file with the most of them tells, whichever is imported first', async () => {
    await fc.assert(
      fc.asyncProperty(retold, async (tellings) => {
        const most = new Map<string, number>();
        for (const { lines } of tellings) {
          for (const [text, its] of Map.groupBy(told(lines), (line) => line))
            most.set(text, Math.max(its.length, most.get(text) ?? 0));
        }
        const booked = [...most].flatMap(([text, times]) => Array.from({ length: times }, () => text)).toSorted();
        const files = tellings.map(({ file }) => file);
        expect(await toldByAll(files)).to.deep.equal(booked);
        expect(await toldByAll(files.toReversed())).to.deep.equal(booked);
      }),
      { numRuns: runs(150) },
    );
  });
});
