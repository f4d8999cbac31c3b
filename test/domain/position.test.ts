import { expect } from 'chai';
import * as fc from 'fast-check';
import { comparePositions, positionAt, positionNumber, PositionText } from '../../src/domain/position.ts';

const numbers = fc.maxSafeNat();

describe('positions', () => {
  it('are in the order of their numbers, not of their texts, and behind the start of the log', () => {
    fc.assert(
      fc.property(numbers, numbers, (a, b) => {
        expect(Math.sign(comparePositions(positionAt(a), positionAt(b)))).to.equal(Math.sign(a - b));
        expect(comparePositions(null, positionAt(a))).to.be.lessThan(0);
        expect(comparePositions(positionAt(a), null)).to.be.greaterThan(0);
      }),
      {
        examples: [
          [9, 10],
          [0, 0],
          [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1],
        ],
      },
    );
    expect(comparePositions(null, null)).to.equal(0);
  });

  it('are read in the one spelling in which they are given', () => {
    fc.assert(
      fc.property(numbers, (number) => {
        const position = positionAt(number);
        expect(PositionText.is(position)).to.equal(true);
        expect(positionNumber(position)).to.equal(number);
      }),
    );
    for (const text of ['', '-1', '00', '01', '1.5', '1e3', ' 1', '9007199254740992', '12345678901234567', 'x']) {
      expect(PositionText.is(text), text).to.equal(false);
    }
  });
});
