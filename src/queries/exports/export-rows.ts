import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { auditEntry } from '../../../projections/audit-trail/index.ts';
import { sharesOf } from '../../../projections/match/match-item.ts';
import { orderAt } from '../../../projections/order-state/index.ts';
import { isOrderStream } from '../../domain/ids.ts';
import type { JsonObject } from '../../domain/json.ts';
import { readLedgerEvent } from '../../domain/ledger-event.ts';
import { verifyEvent, type SecretKeyById } from '../../ledger/verify-event.ts';
import { businessCalendar } from '../../domain/business-day.ts';
import type { MatchPage, MatchPlace } from '../../read-models/match-questions.ts';
import { MatchItemResource, matchItemResource } from '../reconciliation/match-item-resource.ts';
import type { OrderPlace, ReadModelsUnavailable } from '../../read-models/read-models.ts';
import type { Snapshot } from '../../read-models/snapshot.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import { shownText } from '../masking/shown-text.ts';
import { eventResource } from '../orders/event-resource.ts';
import { orderResource, type OrderResource } from '../orders/order-resource.ts';
import { entryResource } from '../trail/audit-entry-resource.ts';
import { allPages } from './all-pages.ts';
import type { ExportRequest } from './export-request.ts';
import type { ExportSums } from './export-sums.ts';
import { logEvents, type LogStore } from './log-events.ts';

/** What the rows of an export are read from. */
export type RowSources = { readonly snapshot: Snapshot; readonly store: LogStore; readonly secretKey: SecretKeyById };

/** Rows in batches, none of them more than some MB; a Left is the last. */
export type RowBatches<Row = JsonObject> = AsyncGenerator<E.Either<QueryFailure, readonly Row[]>, void, undefined>;

type Of<Kind extends ExportRequest['kind']> = Extract<ExportRequest, { readonly kind: Kind }>;
type OfLog = Extract<ExportRequest, { readonly verify: boolean }>;

const ORDERS_AT_ONCE = 500;

const placeOf = ({ createdAt, orderId }: OrderPlace): OrderPlace => ({ createdAt, orderId });

/** Orders, newest created first. `sums`: takes what they come to. */
export async function* orderRows(
  { snapshot }: Pick<RowSources, 'snapshot'>,
  request: Of<'orders'>,
  sums: ExportSums,
): RowBatches<OrderResource> {
  const { filter, personal, now, asOf } = request;
  const moment = asOf === undefined ? {} : { asOf };
  const pages = allPages((after: OrderPlace | null) => {
    return snapshot.orders({ filter, after, limit: ORDERS_AT_ONCE, now, counted: false, ...moment });
  }, placeOf);
  for await (const page of pages) {
    if (E.isLeft(page)) {
      yield page;
      return;
    }
    for (const { fiat, commission, tds } of page.right) {
      sums.add(shownText(fiat.currency, personal), { fiat: fiat.amount, commission, tds });
    }
    yield E.right(page.right.map((state) => orderResource(orderAt(state, now), personal)));
  }
}

/** The events of orders. One that can't be read ends the export: without it the file would not be whole, and not say so. */
async function* eventRows(sources: RowSources, request: OfLog, sums: ExportSums): RowBatches {
  const { personal } = request;
  for await (const batch of logEvents(sources, request)) {
    if (E.isLeft(batch)) {
      yield batch;
      return;
    }
    const rows: JsonObject[] = [];
    for (const recorded of batch.right) {
      if (!isOrderStream(recorded.stream)) continue;
      const read = pipe(
        readLedgerEvent(recorded),
        E.bindTo('event'),
        E.bind('resource', ({ event }) => eventResource(event, personal)),
      );
      if (E.isLeft(read)) {
        yield read;
        return;
      }
      const { currency, fiat, commission, tds } = read.right.event.facts;
      sums.add(shownText(currency, personal), { fiat, commission, tds });
      rows.push(read.right.resource);
    }
    yield E.right(rows);
  }
}

/** An entry for each event, whatever state it is in. */
async function* auditRows(sources: RowSources, request: OfLog): RowBatches {
  const { personal, verify } = request;
  for await (const batch of logEvents(sources, request)) {
    yield E.map((events: readonly Parameters<typeof auditEntry>[0][]) =>
      events.map((event) =>
        entryResource(auditEntry(event), verify ? verifyEvent(event, sources.secretKey) : null, personal),
      ),
    )(batch);
  }
}

/** Items of the match, the oldest first. `sums`: takes what they come to. */
export async function* matchRows(
  { snapshot }: Pick<RowSources, 'snapshot'>,
  request: Of<'reconciliation'>,
  sums: ExportSums,
): RowBatches<MatchItemResource> {
  const { choice, dueDays, personal, now, timeZone } = request;
  const day = { today: businessCalendar(timeZone).dayOf(now), dueDays };
  let after: MatchPlace | null = null;
  for (;;) {
    const page: E.Either<ReadModelsUnavailable, MatchPage> = await snapshot.matchItems({
      ...choice,
      day,
      after,
      limit: ORDERS_AT_ONCE,
    })();
    if (E.isLeft(page)) {
      yield page;
      return;
    }
    const rows: MatchItemResource[] = [];
    for (const item of page.right.data) {
      const row = matchItemResource(item, personal);
      for (const { currency, fiat } of sharesOf(item)) {
        sums.add(shownText(currency ?? '', personal), { fiat, commission: null, tds: null });
      }
      rows.push(MatchItemResource.encode(row));
    }
    yield E.right(rows);
    after = page.right.next;
    if (after === null) return;
  }
}

/** The rows of an export in the order of its list: orders newest created first, the rest in the order of the log. */
export const exportRows = (sources: RowSources, request: ExportRequest, sums: ExportSums): RowBatches => {
  if (request.kind === 'orders') return orderRows(sources, request, sums);
  if (request.kind === 'reconciliation') return matchRows(sources, request, sums);
  return request.kind === 'events' ? eventRows(sources, request, sums) : auditRows(sources, request);
};
