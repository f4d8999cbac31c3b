import { expect } from 'chai';
import * as fc from 'fast-check';
import { branded } from '../../src/domain/brand.ts';
import { exactOf } from '../../src/domain/exact.ts';
import type { Decimal } from '../../src/domain/decimal.ts';
import type { Sha256 } from '../../src/domain/ids.ts';
import { comesTo, waysToComeTo } from '../../src/statements/ways-to-sum.ts';
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

  it('are there or not, as one choice at least or none comes to it, and none is a choice too', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ change: fc.integer({ min: -6, max: 6 }), times: fc.integer({ min: 1, max: 3 }) }), {
          maxLength: 5,
        }),
        fc.integer({ min: -20, max: 20 }),
        async (booked, sum) => {
          const contents = new Map(
            booked.map(({ change, times }, at) => [branded<Sha256>(String(at)), { change: exact(change), times }]),
          );
          const isThere = choices(booked.map(({ times }) => times)).some(
            (choice) => choice.reduce((all, many, at) => all + many * (booked[at]?.change ?? 0), 0) === sum,
          );
          expect(await comesTo(contents, exact(sum), noTurns)).to.equal(isThere);
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it('are told of a long day of few amounts, and not of one where no two are alike', async () => {
    const of = (amounts: number, times: number) =>
      new Map(
        Array.from({ length: amounts }, (_, at) => [
          branded<Sha256>(String(at)),
          { change: exact((at % 2 === 0 ? -500 : 500) * (amounts > 20 ? 2 ** at : at + 1)), times },
        ]),
      );
    expect(await comesTo(of(10, 100), exact(-500), noTurns)).to.equal(true);
    expect(await comesTo(of(10, 100), exact(-250), noTurns)).to.equal(false);
    expect(await comesTo(of(40, 1), exact(-500), noTurns)).to.equal(null);
  });

  it('are told in few steps, however often there is each of few amounts: none is taken that leads beyond the sum', async () => {
    const contents = new Map([
      [branded<Sha256>('few'), { change: exact(1), times: 9_000 }],
      [branded<Sha256>('many'), { change: exact(-1_000_000), times: 90_000 }],
    ]);
    let steps = 0;
    const counted = async (): Promise<void> => {
      steps += 1;
      await Promise.resolve();
    };
    for (const sum of [123_456, -123_456, 5_000, -999_000]) {
      const isThere = sum === 5_000 || sum === -999_000;
      expect(await comesTo(contents, exact(sum), counted), String(sum)).to.equal(isThere);
    }
    expect(steps).to.be.lessThan(4 * 40_000);
  });
});
