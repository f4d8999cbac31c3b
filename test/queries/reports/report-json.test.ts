import { expect } from 'chai';
import * as fc from 'fast-check';
import { GROUP_KEYS } from '../../../projections/report/index.ts';
import { ReportResource, reportJson, reportResource } from '../../../src/queries/reports/report-resource.ts';
import type { ReportAnswer, ReportQuestion } from '../../../src/read-models/read-models.ts';
import { REPORTS } from '../../../src/read-models/reports.ts';
import { reportCells } from '../../support/report-cells.ts';

describe('a report as JSON', () => {
  it('is what its codec writes, whoever asks and however often', () => {
    fc.assert(
      fc.property(reportCells('onramp'), fc.subarray([...GROUP_KEYS]), (cells, groupBy) => {
        const question: ReportQuestion = { flow: 'onramp', basis: 'created', from: null, to: null, groupBy };
        const answer: ReportAnswer = { ...REPORTS.onramp.report(groupBy, cells), timeZone: 'UTC', asOf: null };
        for (const personal of ['guarded', 'shown', 'masked', 'shown'] as const) {
          const resource = reportResource(question, answer, personal);
          const encoded = JSON.stringify(ReportResource.encode(resource));
          expect(reportJson(question, answer, personal)).to.equal(encoded);
        }
      }),
    );
  });
});
