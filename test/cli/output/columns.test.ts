import { expect } from 'chai';
import * as fc from 'fast-check';
import { columns } from '../../../src/cli/output/columns.ts';

/** Cells that hold no blanks, so that the columns of a line can be told apart again. */
const words = fc.stringMatching(/^[a-zé–]{1,12}$/);
const numbers = fc.stringMatching(/^-?\d{1,9}(\.\d{1,9})?$/);

const cellsOf = (line: string): readonly string[] => line.split(/ {2,}/);

describe('columns', () => {
  it('puts each column where it stands in every line, and loses nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(words, words, words), { minLength: 1, maxLength: 8 }), (rows) => {
        const lines = columns(rows).split('\n').slice(0, -1);
        expect(lines.map(cellsOf)).to.deep.equal(rows);
        for (const i of [1, 2]) {
          const starts = lines.map((line, at) => {
            const before = rows[at]?.slice(0, i).reduce((end, cell) => line.indexOf(cell, end) + cell.length, 0) ?? 0;
            return line.indexOf(rows[at]?.[i] ?? '', before);
          });
          expect(new Set(starts).size, lines.join('\n')).to.equal(1);
        }
      }),
    );
  });

  it('puts the decimal points of numbers one below the other, with exactly the digits that they have', () => {
    fc.assert(
      fc.property(fc.array(numbers, { minLength: 1, maxLength: 8 }), (amounts) => {
        const lines = columns(
          amounts.map((amount) => ['x', amount]),
          ['text', 'number'],
        ).split('\n');
        const shown = lines.slice(0, -1);
        expect(shown.map((line) => cellsOf(line.replace(/^x +/, 'x  '))[1])).to.deep.equal(amounts);
        const points = shown.map((line) => (line.includes('.') ? line.indexOf('.') : line.length));
        expect(new Set(points).size, lines.join('\n')).to.equal(1);
      }),
    );
  });

  it('puts headings, and what is not there, flush right above numbers', () => {
    const rows = [
      ['key', 'sum', 'rate'],
      ['a', '100', '–'],
      ['b', '0.25', '90.2'],
      ['c', '-7', '1'],
    ];
    expect(columns(rows, ['text', 'number', 'number'])).to.equal(
      ['key     sum  rate', 'a    100        –', 'b      0.25  90.2', 'c     -7      1', ''].join('\n'),
    );
  });

  it('is empty for no rows', () => {
    expect(columns([])).to.equal('');
  });
});
