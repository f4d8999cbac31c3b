import { FLOWS } from '../domain/flow.ts';
import { parseMonth, type Month } from '../domain/month.ts';
import type { Basis, ReportCell } from '../../projections/report/index.ts';
import type { ReportQuestion } from './read-models.ts';

const BASES: readonly Basis[] = ['created', 'settled'];

const MONTH = '2026-03'.length;

/** The months of the business time zone that have figures, on either basis and of either flow; in no order. */
export const figureMonths = (cells: (question: ReportQuestion) => Iterable<ReportCell>): readonly Month[] => {
  const found = new Set<Month>();
  for (const flow of FLOWS)
    for (const basis of BASES)
      for (const { period } of cells({ flow, basis, from: null, to: null, groupBy: ['month'] })) {
        const month = parseMonth(period.slice(0, MONTH));
        if (month !== null) found.add(month);
      }
  return [...found];
};
