import { expect } from 'chai';
import * as fc from 'fast-check';
import * as monoid from 'fp-ts/lib/Monoid.js';
import * as N from 'fp-ts/lib/number.js';
import { branded } from '../../../src/domain/brand.ts';
import type { Decimal } from '../../../src/domain/decimal.ts';
import { exactOf, plus, ZERO } from '../../../src/domain/exact.ts';
import { measuresEq, measuresGroup, type Measures } from '../../../projections/report/index.ts';
import { measures } from '../../support/report-cells.ts';

const { empty, concat, inverse } = measuresGroup;

const same = (a: Measures, b: Measures): void => {
  if (!measuresEq.equals(a, b)) expect(a).to.deep.equal(b);
};

describe('measuresGroup', () => {
  it('has an identity', () => {
    fc.assert(
      fc.property(measures, (a) => {
        same(concat(a, empty), a);
        same(concat(empty, a), a);
      }),
    );
  });

  it('has inverses', () => {
    fc.assert(
      fc.property(measures, (a) => {
        same(concat(a, inverse(a)), empty);
        same(concat(inverse(a), a), empty);
        same(inverse(inverse(a)), a);
      }),
    );
    expect(Object.is(inverse(empty).orders, 0)).to.equal(true);
  });

  it('is the product of the groups of its members', () => {
    const exact = { empty: ZERO, concat: plus };
    const product = monoid.struct<Measures>({
      orders: N.MonoidSum,
      fiat: exact,
      tokenAmount: exact,
      baseUnits: exact,
      commission: exact,
      tds: exact,
      ratedAmount: exact,
      rateWeight: exact,
    });
    same(empty, product.empty);
    fc.assert(fc.property(measures, measures, (a, b) => same(concat(a, b), product.concat(a, b))));
  });

  it('is associative and commutative', () => {
    fc.assert(
      fc.property(measures, measures, measures, (a, b, c) => {
        same(concat(concat(a, b), c), concat(a, concat(b, c)));
        same(concat(a, b), concat(b, a));
      }),
    );
  });
});

describe('measuresEq', () => {
  const amount = (text: string): Measures => ({ ...empty, fiat: exactOf(branded<Decimal>(text)) });

  it('compares by value', () => {
    expect(measuresEq.equals(amount('1.50'), amount('1.5'))).to.equal(true);
    expect(measuresEq.equals(amount('1.50'), amount('1.51'))).to.equal(false);
  });

  it('looks at every measure', () => {
    const one = exactOf(branded<Decimal>('1'));
    const others: readonly Measures[] = [
      { ...empty, orders: 1 },
      { ...empty, fiat: one },
      { ...empty, tokenAmount: one },
      { ...empty, baseUnits: one },
      { ...empty, commission: one },
      { ...empty, tds: one },
      { ...empty, ratedAmount: one },
      { ...empty, rateWeight: one },
    ];
    for (const other of others) expect(measuresEq.equals(empty, other)).to.equal(false);
    // Each measure is added and taken away in its own place.
    for (const other of others) expect(measuresEq.equals(concat(other, inverse(other)), empty)).to.equal(true);
    for (const other of others) expect(measuresEq.equals(concat(other, empty), other)).to.equal(true);
  });
});
