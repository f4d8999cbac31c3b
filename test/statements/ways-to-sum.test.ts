import { expect } from 'chai';
import * as fc from 'fast-check';
import { branded } from '../../src/domain/brand.ts';
import { exactOf } from '../../src/domain/exact.ts';
import type { Decimal } from '../../src/domain/decimal.ts';
import type { Sha256 } from '../../src/domain/ids.ts';
import { waysToComeTo } from '../../src/statements/ways-to-sum.ts';
import { runs } from '../support/runs.ts';

const exact = (amount: number) => exactOf(branded<Decimal>(String(amount)));

/** Every choice of so many of each. */
const choices = ([times, ...others]: readonly number[]): readonly (readonly number[])[] =>
  times === undefined
    ? [[]]
    : choices(others).flatMap((rest) => Array.from({ length: times + 1 }, (_, many) => [many, ...rest]));

const noTurns = async (): Promise<void> => {
  await Promise.resolve();
};

describe('the ways in which bookings come to a sum', () => {
  it('are those of all choices that do, and tell how often each booking is in one of them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ change: fc.integer({ min: -6, max: 6 }), times: fc.integer({ min: 1, max: 3 }) }), {
          maxLength: 5,
        }),
        fc.integer({ min: -12, max: 12 }),
        async (booked, sum) => {
          const contents = new Map(
            booked.map(({ change, times }, at) => [branded<Sha256>(String(at)), { change: exact(change), times }]),
          );
          const its = choices(booked.map(({ times }) => times)).filter(
            (choice) =>
              choice.some((many) => many > 0) &&
              choice.reduce((all, many, at) => all + many * (booked[at]?.change ?? 0), 0) === sum,
          );
          const found = await waysToComeTo(contents, exact(sum), noTurns);
          expect(found === null ? null : Math.min(2, found.ways)).to.equal(Math.min(2, its.length));
          for (const [at] of booked.entries())
            expect(found?.most.get(branded<Sha256>(String(at))) ?? 0).to.equal(
              its.reduce((most, choice) => Math.max(most, choice[at] ?? 0), 0),
            );
        },
      ),
      { numRuns: runs(200) },
    );
  });
});
