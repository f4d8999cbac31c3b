import { expect } from 'chai';
import { parseBusinessDay } from '../../../src/domain/business-day.ts';
import { daysWords } from '../../../src/queries/words/days-words.ts';
import { daysOfRange, withDays, type Range } from '../../../src/console/reports/report-range.ts';

const dayOf = (text: string) => parseBusinessDay(text) ?? expect.fail(text);

describe('a stretch of days by its name', () => {
  const cases: readonly (readonly [Range, string, string, string, string])[] = [
    ['yesterday', '2026-03-01', '2026-02-28', '2026-02-28', '28 February 2026'],
    ['this-month', '2026-03-01', '2026-03-01', '2026-03-01', '1 March 2026'],
    ['this-month', '2026-11-22', '2026-11-01', '2026-11-22', '1 to 22 November 2026'],
    ['last-month', '2024-03-31', '2024-02-01', '2024-02-29', '1 to 29 February 2024'],
    ['last-month', '2026-01-02', '2025-12-01', '2025-12-31', '1 to 31 December 2025'],
    ['this-quarter', '2026-11-22', '2026-10-01', '2026-11-22', '1 October to 22 November 2026'],
    ['last-quarter', '2026-02-10', '2025-10-01', '2025-12-31', '1 October to 31 December 2025'],
  ];
  for (const [range, today, from, to, words] of cases) {
    it(`is ${words}: ${range} on ${today}`, () => {
      const days = daysOfRange(range, dayOf(today));
      expect(days).to.deep.equal({ from, to });
      expect(daysWords(days)).to.equal(words);
    });
  }

  it('is this month where nothing is said, and no stretch where days are', () => {
    const today = dayOf('2026-11-22');
    expect([...withDays(new Map([['basis', 'settled']]), today)]).to.deep.equal([
      ['basis', 'settled'],
      ['from', '2026-11-01'],
      ['to', '2026-11-22'],
    ]);
    expect([...withDays(new Map([['range', 'all']]), today)]).to.deep.equal([]);
    expect([...withDays(new Map([['to', '2026-01-01']]), today)]).to.deep.equal([['to', '2026-01-01']]);
    expect(daysWords({ from: null, to: dayOf('2026-01-01') })).to.equal('up to 1 January 2026');
  });
});
