import { offRampReport } from '../../projections/off-ramp-report/index.ts';
import { onRampReport } from '../../projections/on-ramp-report/index.ts';
import type { OrderState } from '../../projections/order-state/index.ts';
import type { Cell, ReportProjection } from '../../projections/report/index.ts';
import type { Calendar } from '../domain/business-day.ts';
import type { Flow } from '../domain/flow.ts';

/** The report of each flow. */
export const REPORTS: Readonly<Record<Flow, ReportProjection>> = { onramp: onRampReport, offramp: offRampReport };

/** What an order adds to the report of its flow. */
export const contributionsOf = (state: OrderState, calendar: Calendar): readonly Cell[] =>
  REPORTS[state.flow].contributions(state, calendar);
