import { expect } from 'chai';
import { readXlsx } from 'hucre/xlsx';
import type { ReportResource } from '../../../src/queries/reports/report-resource.ts';
import { reportWorkbook } from '../../../src/queries/reports/report-workbook.ts';

const EMPTY: Omit<ReportResource, 'asOf'> = {
  flow: 'onramp',
  basis: 'created',
  timeZone: 'UTC',
  from: null,
  to: null,
  groupBy: ['day'],
  rows: [],
  totals: [],
};

describe('the workbook of a report', () => {
  for (const [at, modified] of [
    ['2024-03-01T06:31:08.000Z', '2024-03-01T06:31:08.000Z'],
    [null, '1970-01-01T00:00:00.000Z'],
  ] as const) {
    it(`as of ${at} is the same bytes whenever it is written`, async () => {
      const report = { ...EMPTY, asOf: { position: null, at } };
      const bytes = await reportWorkbook(report);
      const { properties } = await readXlsx(bytes);
      expect(properties?.modified?.toISOString()).to.equal(modified);
      expect(await reportWorkbook(report)).to.deep.equal(bytes);
    });
  }
});
