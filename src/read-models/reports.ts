import { offRampReport } from '../../projections/off-ramp-report/index.ts';
import { onRampReport } from '../../projections/on-ramp-report/index.ts';
import type { OrderState } from '../../projections/order-state/index.ts';
import type { Cell, Facet, ReportProjection } from '../../projections/report/index.ts';
import type { Calendar } from '../domain/business-day.ts';
import type { Flow } from '../domain/flow.ts';

/** The report of each flow. */
export const REPORTS: Readonly<Record<Flow, ReportProjection>> = { onramp: onRampReport, offramp: offRampReport };

/** What an order adds to the report of its flow. `facet`: its own, for whoever has it already. */
export const contributionsOf = (state: OrderState, calendar: Calendar, facet?: Facet): readonly Cell[] =>
  REPORTS[state.flow].contributions(state, calendar, facet);
