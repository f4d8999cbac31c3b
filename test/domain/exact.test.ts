import { Big } from 'big.js';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { parseDecimal } from '../../src/domain/decimal.ts';
import {
  exactOf,
  exactOrd,
  isZero,
  minus,
  negated,
  parseExact,
  plainText,
  plus,
  quotient12,
  times,
  ZERO,
  type Exact,
} from '../../src/domain/exact.ts';
import { decimalTexts } from '../support/arbitraries.ts';
import { PLACES, scaled, unscaled } from '../support/naive-json.ts';
import { naiveQuotient } from '../support/report-oracle.ts';

const exact = (text: string): Exact => {
  const decimal = parseDecimal(text);
  if (decimal === null) throw new Error(`no decimal: ${text}`);
  return exactOf(decimal);
};

/** An amount as a text, negative ones among them, with zeros at its end. */
const amounts = fc
  .tuple(fc.boolean(), decimalTexts)
  .map(([negative, text]) => (negative && /[1-9]/.test(text) ? `-${text}` : text));

const whole = (text: string): bigint => scaled(text) ?? 0n;

describe('Exact', () => {
  it('adds, subtracts, negates, multiplies and compares as whole numbers do', () => {
    fc.assert(
      fc.property(amounts, amounts, (a, b) => {
        const [x, y] = [exact(a), exact(b)];
        expect(plainText(plus(x, y))).to.equal(unscaled(whole(a) + whole(b)));
        expect(plainText(minus(x, y))).to.equal(unscaled(whole(a) - whole(b)));
        expect(plainText(negated(x))).to.equal(unscaled(-whole(a)));
        expect(plainText(times(x, y))).to.equal(unscaled(whole(a) * whole(b), PLACES * 2n));
        expect(Math.sign(exactOrd.compare(x, y))).to.equal(whole(a) < whole(b) ? -1 : whole(a) > whole(b) ? 1 : 0);
        expect(isZero(minus(x, y))).to.equal(whole(a) === whole(b));
      }),
    );
  });

  it('sums any number of amounts to the last digit', () => {
    fc.assert(
      fc.property(fc.array(amounts, { maxLength: 40 }), (texts) => {
        const sum = texts.map(exact).reduce(plus, ZERO);
        expect(plainText(sum)).to.equal(unscaled(texts.map(whole).reduce((a, b) => a + b, 0n)));
      }),
    );
  });

  it('holds more digits than one amount may have', () => {
    const most = '9'.repeat(78);
    const least = `0.${'0'.repeat(35)}1`;
    expect(plainText(plus(plus(exact(most), exact(most)), exact(least)))).to.equal(
      `1${'9'.repeat(77)}8.${'0'.repeat(35)}1`,
    );
    expect(plainText(times(exact(least), exact(least)))).to.equal(`0.${'0'.repeat(71)}1`);
  });

  it('is written without zeros at its end, and zero as 0', () => {
    const texts = ['100.00', '-1.50', '0.00', '1200', '0.010', '-0.0'];
    expect(texts.map((text) => plainText(exact(text)))).to.deep.equal(['100', '-1.5', '0', '1200', '0.01', '0']);
    expect(plainText(minus(exact('1.50'), exact('1.5')))).to.equal('0');
    expect(plainText(negated(exact('0.00')))).to.equal('0');
    expect(plainText(ZERO)).to.equal('0');
  });

  it('is read again from what was written', () => {
    fc.assert(
      fc.property(amounts, amounts, (a, b) => {
        const product = times(times(exact(a), exact(b)), times(exact(a), exact(b)));
        const read = parseExact(plainText(product));
        expect(read === null ? 'nothing' : plainText(read)).to.equal(plainText(product));
      }),
    );
    for (const text of ['', '-', '1e3', '.5', '5.', '+1', ' 1', '1n', '0x10', '--1']) {
      expect(parseExact(text), text).to.equal(null);
    }
  });
});

describe('quotient12', () => {
  const quotient = (a: string, b: string): string | null => quotient12(exact(a), exact(b));

  it('has 12 significant digits', () => {
    expect(quotient('1', '3')).to.equal('0.333333333333');
    expect(quotient('-2', '3')).to.equal('-0.666666666667');
    expect(quotient('20000', '0.3')).to.equal('66666.6666667');
    expect(quotient('1234567890123456', '1')).to.equal('1234567890120000');
    expect(quotient('1', '3000000')).to.equal('0.000000333333333333');
    expect(quotient('180.4', '2.00')).to.equal('90.2');
    expect(quotient('999999999999.6', '1')).to.equal('1000000000000');
    expect(quotient('0.00', '7')).to.equal('0');
  });

  it('rounds half to even, once', () => {
    expect(quotient('1.000000000005', '1')).to.equal('1');
    expect(quotient('1.000000000015', '1')).to.equal('1.00000000002');
    expect(quotient('1.00000000000500000000000000000001', '1')).to.equal('1.00000000001');
    expect(quotient('-1.000000000015', '1')).to.equal('-1.00000000002');
    // Rounded to 13 digits first, it would go on to 1.00000000002.
    expect(quotient('1.0000000000149999', '1')).to.equal('1.00000000001');
  });

  it('is nothing for a zero denominator', () => {
    expect(quotient('1', '0.00')).to.equal(null);
    expect(quotient('0', '0')).to.equal(null);
  });

  it('is the nearest number of 12 digits', () => {
    fc.assert(
      fc.property(amounts, amounts, (a, b) => {
        expect(quotient(a, b)).to.equal(naiveQuotient(whole(a), whole(b)));
      }),
    );
  });

  it('rounds products of a half as big.js does', () => {
    const digits = fc.integer({ min: 100_000_000_000, max: 999_999_999_999 });
    fc.assert(
      fc.property(
        digits,
        fc.integer({ min: 1, max: 9999 }),
        fc.constantFrom('5', '50', '49', '51'),
        (head, below, tail) => {
          const value = new Big(`${head}.${tail}`);
          const rounded = value.round(0, Big.roundHalfEven).toFixed();
          expect(quotient(value.times(below).toFixed(), String(below))).to.equal(rounded);
        },
      ),
    );
  });
});
