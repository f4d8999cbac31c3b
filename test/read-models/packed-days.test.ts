import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Basis, Measures } from '../../projections/report/index.ts';
import type { BusinessDay } from '../../src/domain/business-day.ts';
import { branded } from '../../src/domain/brand.ts';
import { exactOfParts, plainText, ZERO, type Exact } from '../../src/domain/exact.ts';
import type { DaySum } from '../../src/read-models/cell-sums.ts';
import { packedDays, unpackedDays } from '../../src/read-models/packed-days.ts';

const amount: fc.Arbitrary<Exact> = fc
  .tuple(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.nat(36))
  .map(([coefficient, scale]) => exactOfParts({ coefficient, scale }));
const ofSettled = fc.oneof(fc.constant(ZERO), amount);

const measures: fc.Arbitrary<Measures> = fc.record({
  orders: fc.integer({ min: -5, max: 5 }),
  fiat: amount,
  tokenAmount: ofSettled,
  baseUnits: ofSettled,
  commission: ofSettled,
  tds: ofSettled,
  ratedAmount: ofSettled,
  rateWeight: ofSettled,
});

const daySum: fc.Arbitrary<DaySum> = fc.record({
  facetKey: fc.constantFrom('["onramp"]', '["offramp"]', ''),
  basis: fc.constantFrom<Basis>('created', 'settled'),
  day: fc.constantFrom('2026-01-01', '2026-01-31', '2026-02-28').map((day) => branded<BusinessDay>(day)),
  measures,
});

const texts = ({ measures: { orders, ...amounts }, ...of }: DaySum): unknown => [
  of,
  orders,
  Object.entries(amounts).map(([name, value]) => `${name} ${plainText(value)}`),
];

describe('sums of a step on their way to another thread', () => {
  it('arrive as they were, in their order, and nothing arrives as nothing', () => {
    fc.assert(
      fc.property(fc.nat(), fc.array(daySum, { maxLength: 30 }), (step, sums) => {
        const arrived = structuredClone(packedDays(step, sums));
        const unpacked = [...unpackedDays(arrived)];
        expect(arrived.step).to.equal(step);
        expect(unpacked.map(texts)).to.deep.equal(sums.map(texts));
        for (const [i, { measures: its }] of sums.entries())
          expect(unpacked[i]?.measures.tds === ZERO).to.equal(its.tds === ZERO);
      }),
    );
  });
});
