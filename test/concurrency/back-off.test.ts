import { expect } from 'chai';
import fc from 'fast-check';
import { backOff } from '../../src/concurrency/back-off.ts';

const PAUSES = { firstMs: 100, longestMs: 5_000 };

describe('back-off', () => {
  it('doubles from 100 ms to 5 s', () => {
    const waits = [1, 2, 3, 6, 7, 50, 5_000].map((failures) => backOff(PAUSES, failures, () => 0));
    expect(waits).to.deep.equal([100, 200, 400, 3_200, 5_000, 5_000, 5_000]);
  });

  it('leaves out up to half of it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (failures, random) => {
          const most = backOff(PAUSES, failures, () => 0);
          expect(backOff(PAUSES, failures, () => random)).to.be.within(most / 2, most);
        },
      ),
    );
  });
});
