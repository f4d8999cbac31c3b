import { expect } from 'chai';
import * as fc from 'fast-check';
import { runs } from '../../support/runs.ts';
import {
  expectBooked,
  told,
  toldByAll,
  toldPages,
  toldStatement,
  type ToldBooking,
} from '../../support/told-bookings.ts';

const OPENING = 5_000;
const paid: ToldBooking = [10, -100, 'IMPS 412345678901'];
const funded: ToldBooking = [10, 100, 'FUNDING'];

const again = (file: Buffer): Buffer => Buffer.from(file.toString().replace(':20:X', ':20:AGAIN'));

/** Neither of the statement nor of the page. */
const unnumbered = (): string => '0';

describe('pages of a statement that say that they follow one another', () => {
  for (const [what, numberOf] of [
    ['with numbers', undefined],
    ['without numbers', unnumbered],
  ] as const) {
    it(`count each, also a payout that the second makes again and whose balances are those of the first, ${what}`, async () => {
      const pages = [[paid], [paid, funded]];
      await expectBooked(toldPages(OPENING, 10, pages, numberOf), pages.flat());
      const alike = [
        [paid, funded],
        [paid, funded],
      ];
      await expectBooked(toldPages(OPENING, 10, alike, numberOf), alike.flat());
    });

    it(`count once where one is told again, and where the day is told whole, ${what}`, async () => {
      const pages = [[paid], [paid, funded], [paid, funded, paid]];
      const files = toldPages(OPENING, 10, pages, numberOf);
      await expectBooked([...files, ...files.map(again)], pages.flat());
      const whole = toldStatement(OPENING, 10, pages.flat());
      await expectBooked([...files, whole], pages.flat());
    });
  }

  it('count each where the account is funded to one level in every page', async () => {
    const pages = Array.from({ length: 5 }, () => [paid, funded]);
    const files = toldPages(OPENING, 10, pages);
    await expectBooked(files, pages.flat());
    await expectBooked([...files, toldStatement(OPENING, 10, pages.flat())], pages.flat());
  });

  it('come to what the bank booked, whatever comes back and in whatever order they come, told again and beside the whole day', async () => {
    const booking = fc.constantFrom<ToldBooking>(
      paid,
      funded,
      [10, -5, 'FEE'],
      [10, 105, 'FUNDING'],
      [10, -205, 'BATCH'],
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(booking, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 6 }).chain((pages) => {
          const files = toldPages(OPENING, 10, pages);
          const all = [...files, ...files.map(again), toldStatement(OPENING, 10, pages.flat())];
          return fc.record({
            pages: fc.constant(pages),
            files: fc.constant(files),
            others: fc.subarray(all.slice(files.length)),
            order: fc.array(fc.nat(), { minLength: all.length, maxLength: all.length }),
          });
        }),
        async ({ pages, files, others, order }) => {
          const mixed = [...files, ...others]
            .map((file, at) => [order[at] ?? 0, file] as const)
            .toSorted(([a], [b]) => a - b)
            .map(([, file]) => file);
          expect(await toldByAll(mixed)).to.deep.equal(told(pages.flat()));
        },
      ),
      { numRuns: runs(100) },
    );
  });
});
