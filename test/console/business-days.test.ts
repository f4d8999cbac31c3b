import { expect } from 'chai';
import fc from 'fast-check';
import { dayBefore, daysFrom, monthsFrom } from '../../src/console/business-days.ts';
import { branded } from '../../src/domain/brand.ts';
import type { BusinessDay } from '../../src/domain/business-day.ts';

const DAY = 86_400_000;
const dayOf = (number: number): BusinessDay => branded<BusinessDay>(new Date(number * DAY).toISOString().slice(0, 10));
/** The years 0001 to 9999, as numbers of days since 1970. */
const numbers = fc.integer({ min: -719_000, max: 2_932_000 });

describe('days of a calendar', () => {
  it('lists every day from one to another once, in order', () => {
    fc.assert(
      fc.property(numbers, fc.integer({ min: 0, max: 800 }), (first, more) => {
        const days = daysFrom(dayOf(first), dayOf(first + more), 801) ?? [];
        expect(days).to.deep.equal(Array.from({ length: more + 1 }, (_, i) => dayOf(first + i)));
      }),
    );
  });

  it('lists none of a range that is upside down, and gives up one that is too long', () => {
    expect(daysFrom('2026-03-02', '2026-03-01', 10)).to.deep.equal([]);
    expect(daysFrom('2026-03-01', '2026-03-10', 10)).to.have.length(10);
    expect(daysFrom('2026-03-01', '2026-03-11', 10)).to.equal(null);
    expect(daysFrom('', '2026-03-11', 10)).to.equal(null);
    expect(monthsFrom('2026-01', '2026-03', 2)).to.equal(null);
  });

  it('counts days back', () => {
    fc.assert(
      fc.property(numbers, fc.integer({ min: 0, max: 300 }), (day, back) => {
        expect(dayBefore(dayOf(day), back)).to.equal(dayOf(day - back));
      }),
    );
    expect(dayBefore(branded<BusinessDay>('0000-01-01'), 1)).to.equal('0000-01-01');
  });

  it('lists months over the ends of years', () => {
    expect(monthsFrom('2025-11', '2026-02', 12)).to.deep.equal(['2025-11', '2025-12', '2026-01', '2026-02']);
    expect(monthsFrom('2026-02', '2026-02', 12)).to.deep.equal(['2026-02']);
  });
});
