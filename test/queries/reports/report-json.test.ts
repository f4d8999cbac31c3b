import { expect } from 'chai';
import * as fc from 'fast-check';
import { GROUP_KEYS } from '../../../projections/report/index.ts';
import { ReportResource, reportJson, reportResource } from '../../../src/queries/reports/report-resource.ts';
import type { ReportAnswer, ReportQuestion } from '../../../src/read-models/read-models.ts';
import { REPORTS } from '../../../src/read-models/reports.ts';
import { reportCells } from '../../support/report-cells.ts';

describe('a report as JSON', () => {
  it('keeps what was written for whoever may see e-mail addresses from whoever may not', () => {
    const [cells = []] = fc.sample(
      reportCells('onramp').filter(({ length }) => length > 0),
      { numRuns: 1, seed: 1 },
    );
    const named = cells.map((cell) => ({ ...cell, facet: { ...cell.facet, symbol: 'someone@example.com' } }));
    const question: ReportQuestion = { flow: 'onramp', basis: 'created', from: null, to: null, groupBy: ['token'] };
    const answer: ReportAnswer = { ...REPORTS.onramp.report(['token'], named), timeZone: 'UTC', asOf: null };
    for (const personal of ['shown', 'masked', 'guarded', 'shown'] as const) {
      const isShown = reportJson(question, answer, personal).includes('someone@example.com');
      const isInResource = JSON.stringify(reportResource(question, answer, personal)).includes('someone@example.com');
      expect([isShown, isInResource]).to.deep.equal([personal === 'shown', personal === 'shown']);
    }
  });

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
