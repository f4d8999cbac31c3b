import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { csvLines, spreadsheetSafe } from '../../src/api/csv.ts';
import { anyText, decimalTexts } from '../support/arbitraries.ts';

const FORMULA_BEGINNINGS = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];

/** What makes CSV hard: quotes, commas, line ends, blanks, and what a spreadsheet would run. */
const cells = fc.oneof(
  anyText().map((text) => text.toWellFormed()),
  fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', ' ', ';', '=', '-', '1', "'", '\uFEFF'), maxLength: 8 }),
  decimalTexts,
  fc.constantFrom('', '-1.5', '-0', '+1', '=1+1', '-1+1', '@SUM(A1)', '12345678901234567890', '0012'),
);

const tables = fc
  .integer({ min: 1, max: 5 })
  .chain((width) => fc.array(fc.array(cells, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }));

describe('CSV', () => {
  it('is read back as it was written, but for the apostrophe before a formula', () => {
    fc.assert(
      fc.property(tables, (table) => {
        const read: unknown = parse(csvLines(table));
        expect(read).to.deep.equal(table.map((row) => row.map(spreadsheetSafe)));
      }),
    );
  });

  it('gives every text back to who takes one apostrophe away from before a formula', () => {
    const back = (cell: string): string => (/^'+[=+\-@\t\r＝＋－＠]/.test(cell) ? cell.slice(1) : cell);
    fc.assert(
      fc.property(cells, (text) => {
        expect(back(spreadsheetSafe(text))).to.equal(text);
      }),
    );
    expect(back(spreadsheetSafe("'=1"))).to.equal("'=1");
  });

  it('puts an apostrophe before what a spreadsheet would run, and before nothing else', () => {
    for (const beginning of FORMULA_BEGINNINGS) {
      for (const text of [beginning, `${beginning}cmd|' /C calc'!A0`, `${beginning}1+1`]) {
        expect(spreadsheetSafe(text)).to.equal(`'${text}`);
        expect(spreadsheetSafe(`'${text}`)).to.equal(`''${text}`);
      }
    }
    for (const text of [
      '',
      '0',
      '-1',
      '-1.50',
      '-0',
      '1e5',
      'a=1',
      ' =1',
      "'",
      "'a",
      "''",
      '12345678901234567890',
      '0x1f',
    ]) {
      expect(spreadsheetSafe(text)).to.equal(text);
    }
    for (const text of ['-1e5', '-.5', '-1.', '--1', '-1 ', '-1\n', '+1']) {
      expect(spreadsheetSafe(text)).to.equal(`'${text}`);
    }
  });

  it('ends each line with CRLF, and quotes what is no plain cell', () => {
    expect(
      csvLines([
        ['a', 'b"c', 'd,e', 'f\ng', 'h\ri', ''],
        ['1', '-1.50', '123456789012345', '1234567890123456', '0.1234567890123456', '0012'],
      ]),
    ).to.equal(
      'a,"b""c","d,e","f\ng","h\ri",\r\n1,-1.50,123456789012345,"1234567890123456","0.1234567890123456","0012"\r\n',
    );
  });
});
