import { expect } from 'chai';
import { hasIbanOrPan } from '../../../src/queries/masking/personal-numbers.ts';

describe('the number of a person in a text', () => {
  it('is an IBAN, however it is written, or a PAN', () => {
    for (const text of [
      'NL91ABNA0417164300',
      'nl91abna0417164300',
      'NL91 ABNA 0417 1643 00',
      'AT61 1904 3002 3457 3201 PAID',
      'TO/IBANNL91ABNA0417164300/X',
      'ABCDE1234F',
      'PAN:abcde1234f.',
    ])
      expect(hasIbanOrPan(text), text).to.equal(true);
    for (const text of [
      'NL92ABNA0417164300',
      'RF18539007547034',
      'HDFCR52026030212345678',
      'N061260012345678',
      'INV-2026-17',
    ])
      expect(hasIbanOrPan(text), text).to.equal(false);
  });

  it('is looked for in a time of the length of the text', () => {
    const started = performance.now();
    for (const piece of ['AB12', 'AB12 ', 'A', 'NL91 ']) {
      const text = piece.repeat(65_536 / piece.length);
      hasIbanOrPan(text);
    }
    expect(performance.now() - started).to.be.lessThan(2_000);
  });
});
