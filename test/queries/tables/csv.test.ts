import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { csvLines, spreadsheetSafe } from '../../../src/queries/tables/csv.ts';
import { anyText, decimalTexts } from '../../support/arbitraries.ts';

const FORMULA_BEGINNINGS = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];

/** What makes CSV hard: quotes, commas, line ends, blanks, and what a spreadsheet would run. */
const cells = fc.oneof(
  anyText().map((text) => text.toWellFormed()),
  fc.string({
    unit: fc.constantFrom('"', ',', '\r', '\n', '\t', ' ', '\0', ';', '|', '=', '-', '1', "'", '\uFEFF'),
    maxLength: 8,
  }),
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

  it('gives every text back to who takes away one apostrophe wherever one stands before a formula', () => {
    const back = (cell: string): string => cell.replaceAll(/(?<=^|[;|\t\r\n])'(?=['"\0]*[=+\-@\t\r＝＋－＠])/g, '');
    fc.assert(
      fc.property(cells, (text) => {
        expect(back(spreadsheetSafe(text))).to.equal(text);
      }),
    );
    expect(back(spreadsheetSafe("'=1"))).to.equal("'=1");
  });

  it('leaves no formula to a spreadsheet, whatever it splits cells and lines at', () => {
    fc.assert(
      fc.property(cells, (text) => {
        const parts = spreadsheetSafe(text).split(/[;|\t\r\n]/);
        if (parts.length > 1) for (const part of parts) expect(part).to.not.match(/^["\0]*[=+\-@＝＋－＠]/);
      }),
    );
    expect(spreadsheetSafe('x;=1+1;y')).to.equal("x;'=1+1;y");
    // Written with its quotes doubled, and read by a spreadsheet that takes a pair of them away.
    expect(spreadsheetSafe('x;"=1+1;y')).to.equal('x;\'"=1+1;y');
    // LibreOffice leaves U+0000 out.
    expect(spreadsheetSafe('\0=1+1')).to.equal("'\0=1+1");
    expect(spreadsheetSafe('x;\0"=1+1;y')).to.equal('x;\'\0"=1+1;y');
    expect(spreadsheetSafe('a\t-1\n@b|+c')).to.equal("a\t'-1\n'@b|'+c");
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

  it('ends each line with CRLF, and quotes every cell', () => {
    expect(csvLines([['a', 'b"c', 'd,e', 'f\ng', 'h\ri', '', '-1.50', '0012']])).to.equal(
      '"a","b""c","d,e","f\ng","h\ri","","-1.50","0012"\r\n',
    );
  });
});
