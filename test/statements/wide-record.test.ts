import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { readCsv } from '../../src/statements/table/read-csv.ts';
import { wideRecord } from '../../src/statements/table/wide-record.ts';

const texts = fc.string({ unit: fc.constantFrom('"', '"', ';', ';', '\n', 'a', ' '), maxLength: 40 });

describe('a record of CSV', () => {
  it('is as wide as its reader makes it, wherever quotes stand', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 4 }), (text, most) => {
        let widest = 0;
        const refused = readCsv(parse, text, 0, ';', ({ cells }) => {
          widest = Math.max(widest, cells.length);
        });
        // What its reader refuses is refused anyway.
        if (refused !== null) return;
        if (widest > most) expect(wideRecord(text, ';', most)).to.not.equal(null);
      }),
      { numRuns: 2_000 },
    );
  });
});
