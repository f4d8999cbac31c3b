import { FLOWS } from '../domain/flow.ts';
import { parseMonth, type Month } from '../domain/month.ts';
import type { Basis } from '../../projections/report/index.ts';
import type { CellsAnswer, ReportQuestion } from './read-models.ts';

const BASES: readonly Basis[] = ['created', 'settled'];

const MONTH = '2026-03'.length;

/** The months of the business time zone that have figures, on either basis and of either flow; in no order. */
export const figureMonths = (cells: (question: ReportQuestion) => Pick<CellsAnswer, 'cells'>): readonly Month[] => {
  const found = new Set<Month>();
  for (const flow of FLOWS)
    for (const basis of BASES)
      for (const { period } of cells({ flow, basis, from: null, to: null, groupBy: ['month'] }).cells) {
        const month = parseMonth(period.slice(0, MONTH));
        if (month !== null) found.add(month);
      }
  return [...found];
};
