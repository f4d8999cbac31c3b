import { expect } from 'chai';
import * as fc from 'fast-check';
import { fittedRows, shortened } from '../../../src/cli/output/fitted-rows.ts';

describe('a text that is shortened', () => {
  it('keeps its start and its end', () => {
    expect(shortened('0xdac17f958d2ee523a2206206994597c13d831ec7', 11)).to.equal('0xdac…31ec7');
    expect(shortened('short', 10)).to.equal('short');
  });

  it('is less exact where it is an instant, and always says the day', () => {
    const at = '2026-11-22T14:44:33.731Z';
    const forms = [24, 23, 19, 16, 10].map((width) => shortened(at, width));
    expect(forms).to.deep.equal([at, '2026-11-22T14:44:33Z', '2026-11-22T14:44Z', '2026-11-22', '2026-11-22']);
  });
});

describe('rows that are fitted to a width', () => {
  it('fit it, or have no text left of more than ten characters; numbers keep their digits', () => {
    const row = fc.tuple(
      fc.stringMatching(/^[a-z]{0,60}$/),
      fc.stringMatching(/^\d{1,30}$/),
      fc.stringMatching(/^[a-z]{0,60}$/),
    );
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 6 }), fc.integer({ min: 10, max: 120 }), (rows, width) => {
        const fitted = fittedRows(rows, (i) => i !== 1, width);
        const widths = [0, 1, 2].map((i) => Math.max(...fitted.map((cells) => cells[i]?.length ?? 0)));
        const line = widths.reduce((sum, one) => sum + one, 0) + 4;
        expect(line <= width || Math.max(widths[0] ?? 0, widths[2] ?? 0) <= 10).to.equal(true);
        expect(fitted.map((cells) => cells[1])).to.deep.equal(rows.map((cells) => cells[1]));
        const isRoomy = rows.every((cells) => cells.join('').length + 4 <= width) && line < width;
        if (isRoomy) expect(fittedRows(rows, () => true, 10_000)).to.deep.equal(rows);
      }),
    );
  });
});
