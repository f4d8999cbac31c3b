import { expect } from 'chai';
import { readXlsx } from 'hucre/xlsx';
import { reportXlsx } from '../../../src/queries/reports/report-xlsx.ts';

describe('the workbook of a report', () => {
  for (const [at, modified] of [
    ['2024-03-01T06:31:08.000Z', '2024-03-01T06:31:08.000Z'],
    [null, '1970-01-01T00:00:00.000Z'],
  ] as const) {
    it(`as of ${at} is the same bytes whenever it is written`, async () => {
      const bytes = await reportXlsx(['day'], { asOf: { at }, rows: [], totals: [] });
      const { properties } = await readXlsx(bytes);
      expect(properties?.modified?.toISOString()).to.equal(modified);
    });
  }
});
