import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { OrderState } from '../../projections/order-state/index.ts';
import type { ReportCell } from '../../projections/report/index.ts';
import type { OrderId } from '../domain/ids.ts';
import type { OrderFilter } from './order-filter.ts';
import type { ProjectedOrder } from './projected-order.ts';
import type { LogStep } from './log-steps.ts';
import type { OrdersQuestion, Page, ReadModels, ReadModelsUnavailable, ReportQuestion } from './read-models.ts';

/**
 * Read models as they are at one position, for what reads page after page: nothing that is applied meanwhile is seen. It
 * must be closed: as long as it is open its database can't give back what was replaced since.
 */
export type Snapshot = ReadModels & {
  /** The zone that days are of. */
  readonly timeZone: string;
  /** An order as it is kept; null where there is none. Throws where the database fails. */
  readonly order: (orderId: OrderId) => ProjectedOrder | null;
  /** The steps of the log, up to where they are. */
  readonly steps: () => TE.TaskEither<ReadModelsUnavailable, readonly LogStep[]>;
  /** What the cells of a report changed by in the steps of these numbers, both inclusive. */
  readonly cellsOfSteps: (
    question: ReportQuestion,
    first: number,
    last: number,
  ) => TE.TaskEither<ReadModelsUnavailable, readonly ReportCell[]>;
  /** A page of a list without some orders, which are passed by without being read. */
  readonly ordersWithout: (
    question: OrdersQuestion,
    isLeftOut: (orderId: OrderId) => boolean,
  ) => TE.TaskEither<ReadModelsUnavailable, Page<OrderState>>;
  /** How many orders a filter may be for at the most, found without looking at any. */
  readonly ordersAtMost: (filter: OrderFilter) => TE.TaskEither<ReadModelsUnavailable, number>;
};
