export type { Basis, Cell } from './contribution.ts';
export { facetKey, facetOf, type Facet } from './facet.ts';
export { addTo, measuresEq, measuresGroup, type Measures, type SumsBy } from './measures.ts';
export { buildReport } from './build-report.ts';
export { reportProjection, type ReportProjection } from './report-projection.ts';
export {
  GROUP_KEYS,
  type GroupKey,
  type Report,
  type ReportCell,
  type ReportRow,
  type ReportSums,
  type TokenLine,
} from './report.ts';
