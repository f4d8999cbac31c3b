import type Database from 'better-sqlite3';
import type { OrderState } from '../../../../projections/order-state/index.ts';
import { branded } from '../../../domain/brand.ts';
import type { Calendar } from '../../../domain/business-day.ts';
import { exactOf } from '../../../domain/exact.ts';
import { FLOWS } from '../../../domain/flow.ts';
import type { OrderId } from '../../../domain/ids.ts';
import { Recent } from '../../../domain/recent.ts';
import { newestOfSized, type ListedRow } from '../../newest-first.ts';
import { facetMatch, type OrderFilter } from '../../order-filter.ts';
import { sortable } from '../../order-row.ts';
import { utrTerm, type OrderSearch } from '../../order-search.ts';
import { OrderSums, type OrderTotal } from '../../order-sums.ts';
import { PAGE_BYTES, PageBytes } from '../../page-bytes.ts';
import type { ProjectedOrder } from '../../projected-order.ts';
import type { OrderPlace, OrdersPage, OrdersQuestion, Page } from '../../read-models.ts';
import { FacetTable } from '../reports/facet-table.ts';
import { ReportQuery } from '../reports/report-query.ts';
import { TermIndex } from '../terms/term-index.ts';
import { chosenFacets, type ChosenFacets } from './chosen-facets.ts';
import { FoundOrders, type Found, type Most } from './found-orders.ts';
import { OrderNumbers } from './order-numbers.ts';
import { OrderRanges, type StoredText } from './order-ranges.ts';
import { OrderSources } from './order-sources.ts';
import { storedOrder, storedState } from './order-table.ts';

/** Orders that are counted one by one at the most; it takes some tens of milliseconds. */
const MOST_COUNTED = 5_000;

/** Rows that are read at a time where some are left out: their places alone, a few microseconds each. */
const ROWS_AT_ONCE = 500;

/** Orders that a text finds are read to be counted: no more than so much of them, of which usual ones are more than those. */
const MOST_COUNTED_BYTES = 8 * 1_048_576;

/** Orders of pages that are kept as they were read: some 2 KB each, with what is written of them. Larger ones count for several. */
const MOST_KEPT = 6_000;
const KEPT_BYTES = 2_048;

/** Orders of larger pages are not kept: exports and whoever reads a list to its end would drop all others for what is asked for once. */
const MOST_OF_A_KEPT_PAGE = 100;

/** An order as it was read, and the text that it was read from. */
type KeptOrder = { readonly text: string; readonly state: OrderState };

const gone = (no: number): never => {
  throw new Error(`order row ${no} of the read models is gone; run "ramp-ledger replay"`);
};

const placeOf = (after: OrderPlace | null): ListedRow | null =>
  after === null ? null : { no: 0, createdAt: sortable(after.createdAt), orderId: after.orderId };

/** Lists of orders, newest created first (docs/spec/http.md, Orders). */
export class OrderList {
  readonly #facets: FacetTable;
  readonly #ranges: OrderRanges;
  readonly #terms: TermIndex;
  readonly #sources: OrderSources;
  readonly #search: FoundOrders;
  readonly #report: ReportQuery;

  /** By number. Comparing what is stored with what was read takes a hundredth of the time of reading it. */
  readonly #kept = new Recent<number, KeptOrder>(MOST_KEPT, ({ text }) => Math.ceil(text.length / KEPT_BYTES));

  constructor(database: Database.Database, calendar: Calendar, numbers = new OrderNumbers(database)) {
    this.#facets = new FacetTable(database);
    this.#ranges = new OrderRanges(database, calendar);
    this.#terms = new TermIndex(database, 'order');
    this.#sources = new OrderSources(calendar, this.#ranges);
    this.#search = new FoundOrders(this.#ranges, this.#terms, numbers);
    this.#report = new ReportQuery(database);
  }

  page(question: OrdersQuestion): OrdersPage<OrderState> {
    const { data, more } = this.#rows(question);
    const isKept = question.limit <= MOST_OF_A_KEPT_PAGE;
    const states = data.map(({ no, text }) => (isKept ? this.#asKept(no, text) : storedState(no, text)));
    return { data: states, more, total: this.#total(question) };
  }

  /** The same page, each order as the text that is stored. */
  texts(question: OrdersQuestion): OrdersPage<string> {
    const { data, more } = this.#rows(question);
    return { data: data.map(({ text }) => text), more, total: this.#total(question) };
  }

  /** The same list without some orders, of which no more is read than where they stand. */
  pageWithout(
    { filter, after, limit, now }: OrdersQuestion,
    isLeftOut: (orderId: OrderId) => boolean,
  ): Page<OrderState> {
    const chosen = chosenFacets(this.#facets, filter);
    const found: ListedRow[] = [];
    const most = Math.max(limit + 1, ROWS_AT_ONCE);
    let place = placeOf(after);
    let bytes = 0;
    for (;;) {
      const { rows, areAll } = this.#foundBehind(filter, chosen, sortable(now), place, most);
      for (const row of rows) {
        if (isLeftOut(branded<OrderId>(row.orderId))) continue;
        // Of what a search found the page has no more than that: no more is looked for.
        if (found.length === limit || (found.length > 1 && bytes > PAGE_BYTES)) return this.#statesOf(found, true);
        found.push(row);
        bytes += row.bytes ?? 0;
      }
      const last = rows.at(-1);
      if (last === undefined || areAll) return this.#statesOf(found, false);
      place = last;
    }
  }

  #rows({ filter, after, limit, now }: OrdersQuestion): Page<StoredText> {
    const chosen = chosenFacets(this.#facets, filter);
    const { rows, areAll } = this.#foundBehind(filter, chosen, sortable(now), placeOf(after), limit + 1);
    return this.#page(rows.slice(0, limit), rows.length > limit || !areAll);
  }

  /** The first of some rows, as far as a page goes. `more`: whether others are behind the last of them. */
  #page(rows: readonly ListedRow[], more: boolean): Page<StoredText> {
    const bytes = new PageBytes();
    const data: StoredText[] = [];
    for (const stored of this.#texts(rows)) {
      if (!bytes.takes(stored.text.length)) return { data, more: true };
      data.push(stored);
    }
    return { data, more };
  }

  #statesOf(rows: readonly ListedRow[], more: boolean): Page<OrderState> {
    const page = this.#page(rows, more);
    return { ...page, data: page.data.map(({ no, text }) => storedState(no, text)) };
  }

  /** `areAll`: there are no others behind the place. Of a search there may be, though they are fewer than was asked for. */
  #foundBehind(
    filter: OrderFilter,
    chosen: ChosenFacets,
    dueBefore: string,
    place: ListedRow | null,
    most: number,
  ): Found {
    if (filter.q !== null)
      return this.#found(filter, filter.q, chosen, dueBefore, place, { rows: most, bytes: PAGE_BYTES });
    const rows = newestOfSized(this.#sources.of(filter, chosen, dueBefore, place, most), place, most);
    return { rows, areAll: rows.length < most };
  }

  /** Makes a part of what searches are quicker by, see `TermIndex.prepare`. Whether more may be left. */
  prepare(): boolean {
    return this.#terms.prepare();
  }

  /** How many orders there are of the classes of a filter; its dates and its text may leave fewer. */
  atMost(filter: OrderFilter): number {
    return chosenFacets(this.#facets, filter).orders;
  }

  /** Orders that an event with this reference belongs to. */
  withUtr(utr: string): readonly OrderId[] {
    const found = new Set<OrderId>();
    for (const ref of this.#terms.refs(utrTerm(utr))) {
      const { state, otherUtrs } = this.#orderAt(ref);
      if (state.payouts.some((payout) => payout.utr === utr) || otherUtrs.some((other) => other === utr)) {
        found.add(state.orderId);
      }
    }
    return [...found];
  }

  /**
   * What a list comes to. Whole classes are summed as reports are, from sums that are kept; orders are looked at one by
   * one only where the clock or a text chooses them, and not more of them than `MOST_COUNTED`; of large ones that a text chooses, fewer.
   */
  #total({ filter, now, counted: isAsked, withoutSums }: OrdersQuestion): OrderTotal | null {
    if (!isAsked) return null;
    const sums = new OrderSums();
    const chosen = chosenFacets(this.#facets, filter);
    const dueBefore = sortable(now);
    const most = MOST_COUNTED + 1;
    if (filter.q === null) this.#addWholeClasses(sums, filter);
    const { rows, areAll } =
      filter.q === null
        ? { rows: newestOfSized(this.#sources.due(filter, chosen, dueBefore), null, most), areAll: true }
        : this.#found(filter, filter.q, chosen, dueBefore, null, { rows: most, bytes: MOST_COUNTED_BYTES });
    for (const { no, text } of this.#texts(rows.slice(0, MOST_COUNTED))) {
      const { fiat } = storedState(no, text);
      sums.add(fiat.currency, 1, exactOf(fiat.amount));
    }
    return sums.total(rows.length > MOST_COUNTED || !areAll, withoutSums);
  }

  /** The orders of all classes of which none waits for the clock. */
  #addWholeClasses(sums: OrderSums, filter: OrderFilter): void {
    const { basis, from, to } = filter;
    for (const flow of filter.flow === null ? FLOWS : [filter.flow]) {
      for (const { facet, measures } of this.#report.cells({ flow, basis, from, to, groupBy: [] })) {
        if (facetMatch(facet, filter) === 'always') sums.add(facet.currency, measures.orders, measures.fiat);
      }
    }
  }

  #orderAt(no: number): ProjectedOrder {
    return storedOrder(this.#ranges.row(no) ?? gone(no)).order;
  }

  /** An order of a page; one and the same object as long as nothing has changed it and it is kept. */
  #asKept(no: number, text: string): OrderState {
    const kept = this.#kept.get(no);
    const order = kept?.text === text ? kept : { text, state: storedState(no, text) };
    this.#kept.put(no, order);
    return order.state;
  }

  /** Of each row what is stored, in their order, read when it is asked for. */
  *#texts(rows: readonly ListedRow[]): Generator<StoredText, void> {
    let read = 0;
    for (const stored of this.#ranges.stateTexts(rows.map(({ no }) => no))) {
      const row = rows[read];
      if (row !== undefined && stored.no !== row.no) gone(row.no);
      read += 1;
      yield stored;
    }
    const missing = rows[read];
    if (missing !== undefined) gone(missing.no);
  }

  #found(
    filter: OrderFilter,
    q: OrderSearch,
    chosen: ChosenFacets,
    dueBefore: string,
    place: ListedRow | null,
    most: Most,
  ): Found {
    return this.#search.find({ filter, q, chosen, range: this.#sources.range(filter), dueBefore }, place, most);
  }
}
