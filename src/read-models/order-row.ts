import { facetKey, facetOf, type Cell, type Facet } from '../../projections/report/index.ts';
import type { BusinessDay, Calendar } from '../domain/business-day.ts';
import { epochMsOf, type Instant } from '../domain/instant.ts';
import type { OrderId } from '../domain/ids.ts';
import { makesItem, matchOrderOf, type MatchOrder } from '../../projections/match/match-order.ts';
import { orderMatchTerms } from './match-terms.ts';
import { searchTerms } from './order-search.ts';
import type { ProjectedOrder } from './projected-order.ts';
import { contributionsOf } from './reports.ts';
import { restText } from './stored-state.ts';

/** What read models keep of one order, in the form of any database. */
export type KeptOrder = {
  readonly orderId: OrderId;
  readonly facetKey: string;
  /** Without its Z, so that it sorts by time. */
  readonly createdAt: string;
  readonly createdDay: BusinessDay;
  readonly settledDay: BusinessDay | null;
  /** When its clock anomaly begins, without its Z. */
  readonly clockAfter: string | null;
  /** What the row's other columns don't say of the state. */
  readonly state: string;
  /** JSON; null for none. */
  readonly otherUtrs: string | null;
};

/** What an order adds to what is kept of many: classes, days, terms and reports. */
export type OrderShare = Pick<KeptOrder, 'facetKey' | 'settledDay'> & {
  /** What it is found by, exactly, as short digests. */
  readonly terms: readonly number[];
  /** Ranks what a term finds: the newest first. */
  readonly termRank: number;
  /** What the match finds it by. */
  readonly matchTerms: readonly number[];
  /** Whether it makes an item of the match by itself, or with another order. */
  readonly makesItem: boolean;
  readonly cells: readonly Cell[];
};

/** An instant as a text that sorts by time. */
export const sortable = (instant: Instant): string => instant.slice(0, -1);

/** The rank of an order of this moment among those that a term finds. */
export const termRank = (createdAt: Instant): number => -epochMsOf(createdAt);

/** An order with all that it adds. */
export type OrderRow = KeptOrder & OrderShare;

/** What is kept of an order. */
export const keptOrder = (
  { state, otherUtrs }: ProjectedOrder,
  calendar: Calendar,
  facet = facetOf(state),
): KeptOrder => {
  const { orderId, createdAt, settledAt, clockAnomaly } = state;
  return {
    orderId,
    facetKey: facetKey(facet),
    createdAt: sortable(createdAt),
    createdDay: calendar.dayOf(createdAt),
    settledDay: settledAt === null ? null : calendar.dayOf(settledAt),
    clockAfter: clockAnomaly === null ? null : sortable(clockAnomaly.after),
    state: restText(state),
    otherUtrs: otherUtrs.length === 0 ? null : JSON.stringify(otherUtrs),
  };
};

const sharedBy = (
  order: ProjectedOrder,
  { facetKey: key, settledDay }: Pick<KeptOrder, 'facetKey' | 'settledDay'>,
  calendar: Calendar,
  match: MatchOrder,
  facet: Facet,
): OrderShare => ({
  facetKey: key,
  settledDay,
  terms: searchTerms(order),
  termRank: termRank(order.state.createdAt),
  matchTerms: orderMatchTerms(match),
  makesItem: makesItem(match),
  cells: contributionsOf(order.state, calendar, facet),
});

/** What an order adds: less than the whole row, for one that is taken out. */
export const orderShare = (order: ProjectedOrder, calendar: Calendar): OrderShare => {
  const [match, facet] = [matchOrderOf(order.state, calendar), facetOf(order.state)];
  return sharedBy(order, { facetKey: facetKey(facet), settledDay: match.settledDay }, calendar, match, facet);
};

/** The row of an order. `match`: what the match takes it for. */
export const orderRow = (
  order: ProjectedOrder,
  calendar: Calendar,
  match = matchOrderOf(order.state, calendar),
): OrderRow => {
  const facet = facetOf(order.state);
  const kept = keptOrder(order, calendar, facet);
  return { ...kept, ...sharedBy(order, kept, calendar, match, facet) };
};
