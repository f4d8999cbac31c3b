import type Database from 'better-sqlite3';
import * as E from 'fp-ts/lib/Either.js';
import type { Calendar } from '../../../domain/business-day.ts';
import { orderIdOfStream, type OrderId } from '../../../domain/ids.ts';
import type { RecordedEvent } from '../../../domain/recorded-event.ts';
import type { StreamEvents } from '../../../event-store/parted-log.ts';
import { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { compared } from '../../compared.ts';
import { OrderCounts, type CountedOrders } from '../../order-counts.ts';
import type { OrderDigestData } from '../../order-digests.ts';
import { keptOrder, type KeptOrder } from '../../order-row.ts';
import type { ProjectedOrder } from '../../projected-order.ts';
import { isOfQuarantine } from '../../quarantine-change.ts';
import type { Checkpoint } from '../../read-models.ts';
import { isAt } from '../../is-at.ts';
import { orderStatements, type WholeOrderRow } from '../../statements/order-statements.ts';
import { readState, rowStateText } from '../../stored-state.ts';
import { StreamFold } from '../../stream-fold.ts';
import { failureOfEvents, type ReadModelFailure } from '../../verification.ts';
import { OrderNumbers } from '../orders/order-numbers.ts';
import { FacetTable } from '../reports/facet-table.ts';
import { EntryDigests, type EntriesOf } from './order-entries.ts';
import { QuarantineVerification } from './verify-quarantine.ts';
import type { FoundRows } from './verify-strays.ts';

/** Whether no column is wrong, as in nearly all rows. */
const isRight = (row: WholeOrderRow, facetKey: string, kept: KeptOrder): boolean =>
  row.state === kept.state &&
  facetKey === kept.facetKey &&
  row.created_at === kept.createdAt &&
  row.created_day === kept.createdDay &&
  row.settled_day === kept.settledDay &&
  row.clock_after === kept.clockAfter &&
  row.other_utrs === kept.otherUtrs;

/** Columns whose values are wrong. */
const differences = (row: WholeOrderRow, facetKey: string, kept: KeptOrder): readonly string[] =>
  [
    ['state', row.state !== kept.state],
    ['facet', facetKey !== kept.facetKey],
    ['created_at', row.created_at !== kept.createdAt],
    ['created_day', row.created_day !== kept.createdDay],
    ['settled_day', row.settled_day !== kept.settledDay],
    ['clock_after', row.clock_after !== kept.clockAfter],
    ['other_utrs', row.other_utrs !== kept.otherUtrs],
  ].flatMap(([column, differs]) => (differs === true ? [String(column)] : []));

/** Rows of orders that were found to be what all events of their streams come to: how many, and what is counted of them. */
export type RightRows = { readonly rows: number; readonly counts: CountedOrders };

/** What some events of an order come to. */
type Expected = { readonly order: ProjectedOrder; readonly kept: KeptOrder };

/**
 * Rows that are read at a time at the most: the more of them were the right ones, the more are read next. A statement costs
 * what many rows do; beyond some hundred rows nothing more is gained.
 */
const MOST_AHEAD = 255;

/** Compares what is kept of orders and of the quarantine with a fresh fold of their events. */
export class OrderVerification {
  readonly #calendar: Calendar;
  readonly #checkpoint: Checkpoint | null;
  readonly #facets: FacetTable;
  readonly #quarantine: QuarantineVerification;
  readonly #sql: SqliteStatements;
  readonly #numbers: OrderNumbers;
  readonly #counts = new OrderCounts();
  readonly #entriesOf: EntriesOf | null;
  readonly #entries = new EntryDigests();
  #right = 0;
  /** Rows that were read ahead, from the place on that is looked at next. */
  #ahead: readonly WholeOrderRow[] = [];
  #next = 0;
  /** The number of the row that was looked at last. */
  #last = 0;

  /**
   * @param checkpoint one that the generation has reached: what it includes must be there
   * @param entries what is to be gathered of what orders are found by; null: nothing
   */
  constructor(
    database: Database.Database,
    calendar: Calendar,
    checkpoint: Checkpoint | null,
    entries: EntriesOf | null = null,
  ) {
    this.#entriesOf = entries;
    this.#calendar = calendar;
    this.#checkpoint = checkpoint;
    this.#facets = new FacetTable(database);
    this.#quarantine = new QuarantineVerification(database, checkpoint);
    this.#sql = new SqliteStatements(database);
    this.#numbers = new OrderNumbers(database);
  }

  /**
   * The differences of one stream.
   *
   * @param fold of the same events
   */
  of({ stream, events }: StreamEvents, fold = new StreamFold(events)): readonly ReadModelFailure[] {
    const orderId = orderIdOfStream(stream);
    const problem = orderId === null ? 'read-model-quarantine-differs' : 'read-model-order-differs';
    return compared(
      () => {
        if (isOfQuarantine(stream)) return this.#quarantine.of({ stream, events });
        return orderId === null ? [] : this.#ofOrder(orderId, fold);
      },
      (detail) => [failureOfEvents(problem, orderId, events, detail)],
    );
  }

  /** What was found right so far. */
  get right(): RightRows {
    const { facets, settledDays } = this.#counts;
    return { rows: this.#right, counts: { facets, settledDays } };
  }

  /** Rows of the quarantine that there were of the streams so far. */
  get quarantined(): Pick<FoundRows, 'quarantine' | 'closings'> {
    return this.#quarantine.found;
  }

  /** What the orders of the rows so far are found by. */
  get entries(): OrderDigestData {
    return this.#entries.data;
  }

  #ofOrder(orderId: OrderId, fold: StreamFold): readonly ReadModelFailure[] {
    const { events } = fold;
    const row = this.#rowOf(orderId);
    if (row === null) {
      const [first] = events;
      const isDue = first !== undefined && this.#includes(first) && fold.first(events.length).order !== null;
      return isDue ? [failureOfEvents('read-model-order-missing', orderId, events, 'it has no row')] : [];
    }
    const whole = this.#expected(fold, events.length);
    const key = this.#keyOf(row);
    if (whole !== null && isRight(row, key, whole.kept)) {
      this.#right += 1;
      this.#counts.add(whole.kept);
      this.#digest(row, whole);
      return [];
    }
    // It may be as of an earlier event, where the rest is not applied yet.
    const revision = E.toUnion(
      E.tryCatch(
        () => readState(rowStateText(row))?.revision ?? null,
        () => null,
      ),
    );
    const upTo = revision === null ? events.length : Math.min(revision + 1, events.length);
    const then = this.#expected(fold, upTo);
    const behind = upTo < events.length && this.#includes(events[upTo]);
    if (then !== null) this.#digest(row, then);
    const columns = then === null ? ['state'] : differences(row, key, then.kept);
    if (columns.length === 0 && !behind) return [];
    const detail = columns.length === 0 ? 'it lacks events' : `it differs in ${columns.join(', ')}`;
    return [failureOfEvents('read-model-order-differs', orderId, events, detail)];
  }

  /** Rows stand in the order in which their streams began, nearly: mostly it is the one behind the last. */
  #rowOf(orderId: OrderId): WholeOrderRow | null {
    if (this.#next === this.#ahead.length) this.#readAhead(Math.min(2 * this.#ahead.length + 1, MOST_AHEAD));
    const next = this.#ahead[this.#next];
    if (next?.order_id === orderId) {
      this.#next += 1;
      this.#last = next.no;
      return next;
    }
    const row = this.#numbers.row(orderId);
    if (row !== null) {
      this.#last = row.no;
      this.#ahead = [];
      this.#next = 0;
    }
    return row;
  }

  #readAhead(most: number): void {
    this.#ahead = this.#sql.all(orderStatements.behind, { no: this.#last, most });
    this.#next = 0;
  }

  #expected(fold: StreamFold, count: number): Expected | null {
    const { order } = fold.first(count);
    return order === null ? null : { order, kept: keptOrder(order, this.#calendar) };
  }

  #digest({ no }: WholeOrderRow, { order }: Expected): void {
    if (this.#entriesOf !== null) this.#entries.addOrder(no, order, this.#calendar, this.#entriesOf);
  }

  #keyOf({ facet }: WholeOrderRow): string {
    return this.#facets.keyOf(facet) ?? '';
  }

  #includes(event: RecordedEvent | undefined): boolean {
    return event !== undefined && isAt(this.#checkpoint, event.position);
  }
}
