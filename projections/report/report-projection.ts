import type { Calendar } from '../../src/domain/business-day.ts';
import type { Flow } from '../../src/domain/flow.ts';
import type { OrderState } from '../order-state/index.ts';
import { buildReport } from './build-report.ts';
import { contributionsOf, type Cell } from './contribution.ts';
import type { Facet } from './facet.ts';
import type { Measures } from './measures.ts';
import type { GroupKey, Report, ReportCell } from './report.ts';

/** The report of a flow: from order states to cells, and from cells to rows. */
export type ReportProjection = {
  readonly flow: Flow;
  /** What an order adds; nothing where it is of the other flow. `facet`: its own, for whoever has it already. */
  readonly contributions: (state: OrderState, calendar: Calendar, facet?: Facet) => readonly Cell[];
  /** Rows and totals of cells of one basis, in any order, summed or not. */
  readonly report: (groupBy: readonly GroupKey[], cells: Iterable<ReportCell>) => Report;
};

export const reportProjection = (flow: Flow, measuresOf: (state: OrderState) => Measures): ReportProjection => {
  const contributions = contributionsOf(measuresOf);
  return {
    flow,
    contributions: (state, calendar, facet) => (state.flow === flow ? contributions(state, calendar, facet) : []),
    report: (groupBy, cells) => buildReport(flow, groupBy, cells),
  };
};
