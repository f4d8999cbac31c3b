import { expect } from 'chai';
import { hasIbanOrPan, hasPhoneOrAadhaar } from '../../../src/queries/masking/personal-numbers.ts';
import { day } from '../../projections/match/match-scene.ts';

const BOOKED = day('2026-03-02');

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

  it('is a phone number or an Aadhaar, however it is written', () => {
    for (const text of [
      '9876543210',
      '09876543210',
      '919876543210',
      '+91 98765 43210',
      'CALL/98765-43210/NOW',
      '+44 20 7946 0958',
      '499118665246',
      '4991 1866 5246',
    ])
      expect(hasPhoneOrAadhaar(text, BOOKED), text).to.equal(true);
    for (const text of ['1700000000', '499118665247', '98765432101234', 'X9876543210', 'INV-2026-17'])
      expect(hasPhoneOrAadhaar(text, BOOKED), text).to.equal(false);
  });

  it('is not the number that UPI or IMPS gave to a payment of those days, whatever its check digit is', () => {
    for (let last = 0; last < 100; last += 1) {
      const number = `6061091234${String(last).padStart(2, '0')}`;
      expect(hasPhoneOrAadhaar(number, BOOKED), number).to.equal(false);
      expect(hasPhoneOrAadhaar(number, day('2026-03-01')), number).to.equal(false);
    }
    // Made on the last day of the year, booked in the next.
    expect(hasPhoneOrAadhaar('536509100123', day('2026-01-01'))).to.equal(false);
    const later = Array.from({ length: 10 }, (_, last) => `60610912345${last}`);
    expect(later.filter((number) => hasPhoneOrAadhaar(number, day('2026-06-30')))).to.have.length(1);
  });

  it('is looked for in a time of the length of the text', () => {
    const started = performance.now();
    for (const piece of ['AB12', 'AB12 ', '9', '91 ', '+1', '+1 ']) {
      const text = piece.repeat(65_536 / piece.length);
      hasIbanOrPan(text);
      hasPhoneOrAadhaar(text, BOOKED);
    }
    expect(performance.now() - started).to.be.lessThan(2_000);
  });
});
