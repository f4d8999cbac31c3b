import { expect } from 'chai';
import * as fc from 'fast-check';
import { nearest, oneSlipAway } from '../../src/domain/nearest.ts';

describe('what somebody may have meant', () => {
  it('is the word within two slips', () => {
    const words = ['day', 'month', 'currency', 'onramp', 'offramp'];
    const cases: readonly (readonly [string, string | null])[] = [
      ['onrmp', 'onramp'],
      ['ofrfamp', 'offramp'],
      ['dya', 'day'],
      ['Month', 'month'],
      ['curency', 'currency'],
      ['xyz', null],
      ['', null],
      ['d', null],
      ['x'.repeat(100_000), null],
    ];
    for (const [text, word] of cases) expect(nearest(text, words), text.slice(0, 20)).to.equal(word);
  });

  it('by one slip leads back', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/), fc.nat(), (text, n) => {
        const others = oneSlipAway(text);
        expect(others.includes(text)).to.equal(false);
        const other = others[n % others.length] ?? '';
        expect(oneSlipAway(other).includes(text), other).to.equal(true);
      }),
    );
    expect(oneSlipAway('ord-101')).to.include.members(['ord-1001', 'ord-11', 'ord-011', 'ord-102', 'odr-101']);
  });
});
