import { expect } from 'chai';
import { hasVerhoeffDigit } from '../../src/domain/verhoeff.ts';

/** Numbers that UIDAI and others print as examples. */
const RIGHT = ['2363', '499118665246', '234123412346'];

describe("Verhoeff's check digit", () => {
  it('is right in numbers that have one', () => {
    for (const digits of RIGHT) expect(hasVerhoeffDigit(digits), digits).to.equal(true);
  });

  it('is wrong where any one digit is another, or two neighbours have changed places', () => {
    for (const digits of RIGHT) {
      for (let at = 0; at < digits.length; at += 1) {
        const [before, digit = '', behind] = [digits.slice(0, at), digits[at], digits.slice(at + 1)];
        const another = before + String((Number(digit) + 3) % 10) + behind;
        expect(hasVerhoeffDigit(another), another).to.equal(false);
        const swapped = before + behind.slice(0, 1) + digit + behind.slice(1);
        if (swapped !== digits) expect(hasVerhoeffDigit(swapped), swapped).to.equal(false);
      }
    }
  });
});
