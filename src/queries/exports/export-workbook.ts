import * as E from 'fp-ts/lib/Either.js';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { OrderResource } from '../orders/order-resource.ts';
import { workbookPieces, type Workbook } from '../tables/workbook/workbook-pieces.ts';
import type { ExportMoment } from './about-export.ts';
import type { ExportRequest } from './export-request.ts';
import { matchRows, orderRows, type RowBatches, type RowSources } from './export-rows.ts';
import { ExportSums } from './export-sums.ts';
import type { Pieces } from './export-table.ts';
import { itemWorkbook } from './item-workbook.ts';
import { orderWorkbook } from './order-workbook.ts';

/** What the rows of an export come to, and what counts them on their way. */
type Counting = {
  readonly sums: ExportSums;
  readonly counted: <Row>(batches: RowBatches<Row>) => RowBatches<Row>;
};

async function* noRows(): RowBatches<OrderResource> {
  // There is none.
}

/** Off-ramp orders alone have payouts. */
const paidOut = (
  sources: RowSources,
  request: Extract<ExportRequest, { readonly kind: 'orders' }>,
): RowBatches<OrderResource> => {
  const { filter } = request;
  return filter.flow === 'onramp'
    ? noRows()
    : orderRows(sources, { ...request, filter: { ...filter, flow: 'offramp' } }, new ExportSums());
};

const workbookOf = (
  sources: RowSources,
  request: ExportRequest,
  moment: ExportMoment,
  { sums, counted }: Counting,
): Workbook<QueryFailure> | null => {
  if (request.kind === 'orders') {
    return orderWorkbook(request, moment, {
      orders: counted(orderRows(sources, request, sums)),
      again: () => paidOut(sources, request),
    });
  }
  return request.kind === 'reconciliation'
    ? itemWorkbook(request, moment, counted(matchRows(sources, request, sums)), sums)
    : null;
};

/** An export as a workbook for people. Events and the trail, which have neither amounts nor counts, are none. */
export async function* exportWorkbook(
  sources: RowSources,
  request: ExportRequest,
  moment: ExportMoment,
  counting: Counting,
): Pieces {
  const workbook = workbookOf(sources, request, moment, counting);
  if (workbook === null) {
    yield E.left({ _tag: 'WorkbookUnwritable', detail: `there is no workbook of ${request.kind}` });
    return;
  }
  try {
    yield* workbookPieces(workbook);
  } catch (error) {
    yield E.left({ _tag: 'WorkbookUnwritable', detail: String(error) });
  }
}
