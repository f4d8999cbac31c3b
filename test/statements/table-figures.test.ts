import { expect } from 'chai';
import { tableFigure } from '../../src/statements/table/table-amount.ts';

/** The amount, and the currencies beside it, of a figure; null for none. */
const read = (text: string, decimal: '.' | ',' | null = '.'): string | null => {
  const figure = tableFigure(text, decimal);
  return figure === null ? null : [figure.amount, ...figure.currencies].join(' ');
};

const FIGURES: Readonly<Record<string, string>> = {
  '0': '0',
  '12': '12',
  '12.50': '12.50',
  '.5': '0.5',
  '7.': '7',
  ' 12.50 ': '12.50',
  '1,234.56': '1234.56',
  '12,34,567.89': '1234567.89',
  '1 234 567.8': '1234567.8',
  '1\u00a0234.50': '1234.50',
  '1\u202f234.50': '1234.50',
  "1'234.50": '1234.50',
  '1’234.50': '1234.50',
  '1_234': '1234',
  '-12.50': '-12.50',
  '12.50-': '-12.50',
  '−12.50': '-12.50',
  '+12.50': '12.50',
  '12.50+': '12.50',
  '(12.50)': '-12.50',
  '(0.00)': '0.00',
  '12.50 DR': '-12.50',
  '12.50Dr.': '-12.50',
  '12.50 CR': '12.50',
  '12.50(Cr)': '12.50',
  '12.50 (DR)': '-12.50',
  'INR 12.50': '12.50 INR',
  '12.50 EUR': '12.50 EUR',
  '€12.50': '12.50 €',
  '12.50€': '12.50 €',
  'Rs. 12.50': '12.50 Rs.',
  'Rs12.50': '12.50 Rs',
  '-€12.50': '-12.50 €',
  '€-12.50': '-12.50 €',
  '(USD 12.50)': '-12.50 USD',
  'USD -12.50 $': '-12.50 USD $',
};

const NONE = [
  '',
  '-',
  '+',
  '.',
  '()',
  'x',
  'CR',
  'EUR',
  '1.2.3',
  '1,2',
  '1,23',
  '1,2345',
  '12,345,67',
  ',123',
  '123,',
  '1 2',
  '1  234',
  '12 34',
  '1234 567',
  '1e3',
  '0x1',
  '١٢',
  '--1',
  '-1-',
  '(1',
  '1)',
  '(-1)',
  '-1 DR',
  '-1 CR',
  '(1) CR',
  '+1 DR',
  '(1) x',
  '1.5 %',
];

describe('figures of tables', () => {
  for (const [text, expected] of Object.entries(FIGURES))
    it(`are read: ${JSON.stringify(text)}`, () => {
      expect(read(text)).to.equal(expected);
      // The same with the two separators exchanged.
      const exchanged = text.replace(/[.,](?=\d|$|-|\+|\))/g, (separator) => (separator === '.' ? ',' : '.'));
      if (!text.startsWith('Rs')) expect(read(exchanged.replace(/r,$/, 'r.'), ','), exchanged).to.equal(expected);
    });

  it('have a point before the decimals where nothing is said', () => {
    expect([read('1,234.5', null), read('1.234,5', null)]).to.deep.equal(['1234.5', null]);
  });

  for (const text of NONE)
    it(`are none: ${JSON.stringify(text)}`, () => {
      expect(read(text)).to.equal(null);
    });
});
