import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { EVERY_ORDER } from '../../read-models/order-filter.ts';
import type { MomentTooFar, OrderPlace, ReadModelsUnavailable } from '../../read-models/read-models.ts';
import type { Snapshot } from '../../read-models/snapshot.ts';
import type { TooManyRows } from '../failure/query-failure.ts';
import { allPages } from './all-pages.ts';
import type { ExportRequest } from './export-request.ts';

/** How many rows a sheet may have in every spreadsheet program, without the row of the column names. */
export const SHEET_ROWS = 1_048_575;

const COUNTED_AT_ONCE = 500;

/**
 * Whether a workbook can hold what is asked for, judged before its first byte. Orders are counted one by one only where
 * the counts that are kept for whole classes of orders come to more than a sheet holds.
 */
export const fitsInSheet =
  (
    snapshot: Snapshot,
    request: ExportRequest,
    most = SHEET_ROWS,
  ): TE.TaskEither<TooManyRows | ReadModelsUnavailable | MomentTooFar, void> =>
  async () => {
    if (request.format !== 'xlsx' || request.kind !== 'orders') return E.right(undefined);
    const { filter, now, asOf } = request;
    const moment = asOf === undefined ? {} : { asOf };
    // An order may have been of another class then.
    const bound = await snapshot.ordersAtMost(asOf === undefined ? filter : EVERY_ORDER)();
    if (E.isLeft(bound)) return bound;
    if (bound.right <= most) return E.right(undefined);
    let rows = 0;
    const pages = allPages(
      (after: OrderPlace | null) =>
        snapshot.orders({ filter, after, limit: COUNTED_AT_ONCE, now, counted: false, ...moment }),
      ({ createdAt, orderId }): OrderPlace => ({ createdAt, orderId }),
    );
    for await (const page of pages) {
      if (E.isLeft(page)) return page;
      rows += page.right.length;
      if (rows > most) return E.left({ _tag: 'TooManyRows', most });
    }
    return E.right(undefined);
  };
