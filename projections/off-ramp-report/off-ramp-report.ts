import { exactOf, ZERO } from '../../src/domain/exact.ts';
import type { OrderState } from '../order-state/index.ts';
import { measuresGroup, reportProjection, type Measures, type ReportProjection } from '../report/index.ts';

/** What an off-ramp order counts for: the tokens deducted and the tax withheld, TDS (docs/spec/http.md, A report). */
const measuresOf = ({ phase, fiat, tokensDeducted, tds }: OrderState): Measures => {
  const asked: Measures = { ...measuresGroup.empty, orders: 1, fiat: exactOf(fiat.amount) };
  if (phase !== 'settled') return asked;
  return {
    ...asked,
    tokenAmount: tokensDeducted === null ? ZERO : exactOf(tokensDeducted),
    tds: tds === null ? ZERO : exactOf(tds),
  };
};

/** The report of crypto → fiat. */
export const offRampReport: ReportProjection = reportProjection('offramp', measuresOf);
