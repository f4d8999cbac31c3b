import { Big } from 'big.js';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { offRampFigures, onRampFigures, pickFiat } from '../../src/sandbox/figures.ts';
import { Random } from '../../src/sandbox/random.ts';

const hundredths = (max: number): fc.Arbitrary<Big> => fc.integer({ min: 1, max }).map((n) => new Big(n).times('0.01'));

const requests = fc.tuple(hundredths(1_000_000_000), hundredths(50_000_000), fc.integer({ min: 0, max: 18 }));

describe("the sandbox's figures", () => {
  it('close to the last digit on-ramp: what is bought, and the commission, are what is paid', () => {
    fc.assert(
      fc.property(requests, ([asked, rate, places]) => {
        const { fiat, amount, commission } = onRampFigures(asked, rate, places);
        expect(fiat.eq(asked)).to.equal(true);
        expect(amount.times(rate).plus(commission).eq(fiat)).to.equal(true);
        expect(commission.gte(fiat.times('0.02'))).to.equal(true);
        expect(amount.round(places).eq(amount)).to.equal(true);
      }),
    );
  });

  it('close to the last digit off-ramp: what the tokens bring is what is paid out, and the tax', () => {
    fc.assert(
      fc.property(requests, ([asked, rate, places]) => {
        const { fiat, amount, tds } = offRampFigures(asked, rate, places);
        expect(amount.times(rate).eq(fiat.plus(tds))).to.equal(true);
        expect(tds.gte(fiat.times('0.01'))).to.equal(true);
        expect(amount.round(places).eq(amount)).to.equal(true);
      }),
    );
  });

  it('begin with amounts of at most two decimals', () => {
    fc.assert(
      fc.property(fc.string(), (seed) => {
        const fiat = pickFiat(new Random(seed));
        expect(fiat.gt(0)).to.equal(true);
        expect(fiat.round(2).eq(fiat)).to.equal(true);
      }),
    );
  });
});
