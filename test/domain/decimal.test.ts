import { expect } from 'chai';
import * as fc from 'fast-check';
import { isNegative, normalised, parseBaseUnits, parseDecimal } from '../../src/domain/decimal.ts';
import { jsonNumberTexts, sameNumber } from '../support/arbitraries.ts';

/** Sign, mantissa and exponent on both sides of every limit. */
const numbers = fc.tuple(
  fc.constantFrom('', '-'),
  fc.stringMatching(/^(0|[1-9]\d{0,90})(\.\d{1,50})?$/),
  fc.oneof(fc.constant(null), fc.integer({ min: -90, max: 90 })),
);

describe('parseDecimal', () => {
  it('writes any JSON number out to the same value, or refuses it', () => {
    fc.assert(
      fc.property(jsonNumberTexts, (text) => {
        const decimal = parseDecimal(text);
        if (decimal === null) return;
        expect(decimal).to.match(/^(0|-?[1-9]\d*|-?(0|[1-9]\d*)\.\d+)$/);
        expect(sameNumber(decimal, text)).to.equal(true);
        expect(isNegative(decimal)).to.equal(text.startsWith('-') && !sameNumber(text, '0'));
      }),
      { numRuns: 2000 },
    );
  });

  it('refuses exactly what has more than 78 digits before or 36 after the point', () => {
    fc.assert(
      fc.property(numbers, ([sign, mantissa, exponent]) => {
        const shifted = mantissa + (exponent === null ? '' : `e${exponent}`);
        const [, fraction = ''] = mantissa.split('.');
        const after = Math.max(
          0,
          fraction.length - (/[1-9]/.test(mantissa) ? (exponent ?? 0) : Math.min(0, exponent ?? 0)),
        );
        const digits = BigInt(mantissa.replace('.', ''));
        const power = (exponent ?? 0) - fraction.length;
        const whole = power >= 0 ? digits * 10n ** BigInt(power) : digits / 10n ** BigInt(-power);
        expect(parseDecimal(sign + shifted) === null).to.equal(whole >= 10n ** 78n || after > 36);
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps the digits that came', () => {
    const cases: Readonly<Record<string, string>> = {
      '100.00': '100.00',
      '1051823.6300000001': '1051823.6300000001',
      '-1.50': '-1.50',
      '0': '0',
      '-0': '0',
      '0.00': '0.00',
      '-0.0': '0.0',
      '0e5': '0',
      '0e-3': '0.000',
      '1e3': '1000',
      '1.50e1': '15.0',
      '1.5E+2': '150',
      '100e-2': '1.00',
      '1e-7': '0.0000001',
      '0.0001e3': '0.1',
      '007.10': '7.10',
      '1e77': `1${'0'.repeat(77)}`,
      '1e-36': `0.${'0'.repeat(35)}1`,
    };
    for (const [text, decimal] of Object.entries(cases)) expect(parseDecimal(text), text).to.equal(decimal);
    const uint256 = String(2n ** 256n - 1n);
    expect(parseDecimal(uint256)).to.equal(uint256);
  });

  it('judges an exponent before it writes it out', () => {
    for (const text of [
      '1e78',
      '1e-37',
      '1e999999999',
      '1e-999999999',
      `1e${'9'.repeat(500)}`,
      `-1e-${'9'.repeat(500)}`,
    ]) {
      expect(parseDecimal(text), text).to.equal(null);
    }
    expect(parseDecimal(`0e${'9'.repeat(500)}`)).to.equal('0');
    expect(parseDecimal(`0e-${'9'.repeat(500)}`)).to.equal(null);
    expect(parseDecimal(`${'0'.repeat(300_000)}1`)).to.equal('1');
    expect(parseDecimal(`0.${'0'.repeat(300_000)}1e300000`)).to.equal('0.1');
  });

  it('refuses what is no number', () => {
    for (const text of [
      '',
      ' 1',
      '1 ',
      '+1',
      '.5',
      '5.',
      '1e',
      'NaN',
      'Infinity',
      '0x10',
      '1,000',
      '1_0',
      '١',
      '1\n',
    ]) {
      expect(parseDecimal(text), JSON.stringify(text)).to.equal(null);
    }
  });
});

describe('normalised', () => {
  it('gives equal numbers one text and others another', () => {
    fc.assert(
      fc.property(jsonNumberTexts, jsonNumberTexts, fc.nat(5), (one, other, zeros) => {
        const [a, b] = [parseDecimal(one), parseDecimal(other)];
        if (a === null || b === null) return;
        expect(normalised(a) === normalised(b)).to.equal(sameNumber(a, b));
        const longer = parseDecimal((a.includes('.') ? a : `${a}.`) + '0'.repeat(zeros + 1));
        if (longer !== null) expect(normalised(longer)).to.equal(normalised(a));
        expect(sameNumber(normalised(a), a)).to.equal(true);
      }),
    );
  });

  it('writes plain decimals without trailing zeros', () => {
    const texts = ['100.00', '0.000', '1e77', '1e-36', '-0.10'].map((text) => parseDecimal(text));
    expect(texts.map((decimal) => (decimal === null ? null : normalised(decimal)))).to.deep.equal([
      '100',
      '0',
      `1${'0'.repeat(77)}`,
      `0.${'0'.repeat(35)}1`,
      '-0.1',
    ]);
  });
});

describe('parseBaseUnits', () => {
  it('takes up to 78 digits, without leading zeros', () => {
    expect(parseBaseUnits('10000000000000000')).to.equal('10000000000000000');
    expect(parseBaseUnits('000')).to.equal('0');
    expect(parseBaseUnits(`00${'9'.repeat(78)}`)).to.equal('9'.repeat(78));
    for (const text of ['9'.repeat(79), '', '-1', '1.0', '1e3', ' 1', '0x1', '1\n']) {
      expect(parseBaseUnits(text), text).to.equal(null);
    }
  });
});
