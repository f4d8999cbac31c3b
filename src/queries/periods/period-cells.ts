import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { OrderState } from '../../../projections/order-state/index.ts';
import { measuresGroup, type Basis, type ReportCell } from '../../../projections/report/index.ts';
import { businessCalendar, type Calendar } from '../../domain/business-day.ts';
import type { Flow } from '../../domain/flow.ts';
import { instantOf, type Instant } from '../../domain/instant.ts';
import { firstDayOf, lastDayOf, type Month } from '../../domain/month.ts';
import type { OrderFilter } from '../../read-models/order-filter.ts';
import type {
  AsOf,
  CellsAnswer,
  OrderPlace,
  ReadModels,
  MomentTooFar,
  ReadModelsUnavailable,
} from '../../read-models/read-models.ts';
import { contributionsOf } from '../../read-models/reports.ts';
import { allPages } from '../exports/all-pages.ts';
import { daysOf, isWithin, monthStretches, type MonthStretch } from './month-stretches.ts';

/** What of the orders of a month is asked for. */
export type PeriodQuestion = {
  readonly flow: Flow;
  readonly basis: Basis;
  readonly month: Month;
  readonly from: Instant;
  /** Exclusive. */
  readonly until: Instant;
  /** Absent: what is known now. */
  readonly asOf?: AsOf;
};

type Models = Pick<ReadModels, 'cells' | 'orders'>;
type Failable<A> = Promise<E.Either<ReadModelsUnavailable | MomentTooFar, A>>;

const ORDERS_AT_ONCE = 500;

/** The moment that puts an order into a month; null: none does. */
export const momentOf = ({ createdAt, settledAt }: OrderState, basis: Basis): Instant | null =>
  basis === 'created' ? createdAt : settledAt;

/** A day as one of the month: what the month has of the day before or behind it counts as its first or last one. */
const dayWithin = (day: string, month: Month): string => {
  const [first, last] = [firstDayOf(month), lastDayOf(month)];
  if (day < first) return first;
  return day > last ? last : day;
};

/** The cells of the orders whose day of creation, or settlement, falls between two moments that are a day apart at the most. */
const cellsBetween = async (
  models: Models,
  calendar: Calendar,
  { flow, basis, month, asOf }: PeriodQuestion,
  stretch: MonthStretch,
): Failable<readonly ReportCell[]> => {
  const filter: OrderFilter = {
    flow,
    status: null,
    currency: null,
    token: null,
    chainId: null,
    phase: null,
    basis,
    ...daysOf(stretch, calendar),
    anomaly: null,
    q: null,
  };
  const moment = asOf === undefined ? {} : { asOf };
  const now = instantOf(0);
  const pages = allPages(
    (after: OrderPlace | null) =>
      models.orders({ filter, after, limit: ORDERS_AT_ONCE, now, counted: false, ...moment }),
    ({ createdAt, orderId }): OrderPlace => ({ createdAt, orderId }),
  );
  const cells: ReportCell[] = [];
  for await (const page of pages) {
    if (E.isLeft(page)) return page;
    for (const state of page.right) {
      if (!isWithin(momentOf(state, basis), stretch.from, stretch.until)) continue;
      for (const { basis: of, day, facet, measures } of contributionsOf(state, calendar)) {
        if (of === basis) cells.push({ period: dayWithin(day, month), facet, measures });
      }
    }
  }
  return E.right(cells);
};

/**
 * The moment of what read models answer now. It is taken from an answer, of no days, so that nothing comes with it: who
 * follows the log may not have said yet how far it is.
 */
export const momentOfAnswers = (
  models: Pick<ReadModels, 'cells'>,
  month: Month,
): TE.TaskEither<ReadModelsUnavailable, AsOf> =>
  TE.map(({ asOf }: CellsAnswer): AsOf => ({ checkpoint: asOf }))(
    models.cells({ flow: 'onramp', basis: 'created', from: lastDayOf(month), to: firstDayOf(month), groupBy: ['day'] }),
  );

const inverse = (cell: ReportCell): ReportCell => ({ ...cell, measures: measuresGroup.inverse(cell.measures) });

/**
 * What the orders of a month come to: the cells of its days, and at each end, where the month begins or ends at another
 * moment than the days of the read models do, the orders in between put in or taken out.
 */
export const periodCells =
  (models: Models, question: PeriodQuestion): TE.TaskEither<ReadModelsUnavailable | MomentTooFar, CellsAnswer> =>
  async () => {
    const { flow, basis, month, from, until, asOf } = question;
    const days = { from: firstDayOf(month), to: lastDayOf(month) };
    const moment = asOf === undefined ? {} : { asOf };
    const answer = await models.cells({ flow, basis, ...days, groupBy: ['day'], ...moment })();
    if (E.isLeft(answer)) return answer;
    const calendar = businessCalendar(answer.right.timeZone);
    // What is put in or taken out must be of the same moment.
    const ofMoment: PeriodQuestion = { ...question, asOf: { checkpoint: answer.right.asOf } };
    const cells: ReportCell[] = [...answer.right.cells];
    for (const stretch of monthStretches({ period: month, from, until }, calendar)) {
      const between = await cellsBetween(models, calendar, ofMoment, stretch);
      if (E.isLeft(between)) return between;
      for (const cell of between.right) cells.push(stretch.way === 'in' ? cell : inverse(cell));
    }
    return E.right({ ...answer.right, cells });
  };
