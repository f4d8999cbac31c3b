import type Database from 'better-sqlite3';
import { branded } from '../../domain/brand.ts';
import { exactOf } from '../../domain/exact.ts';
import { FLOWS } from '../../domain/flow.ts';
import type { OrderId } from '../../domain/ids.ts';
import type { ProjectedOrder } from '../projected-order.ts';
import { type Calendar } from '../../domain/business-day.ts';
import { facetMatch, type OrderFilter } from '../order-filter.ts';
import { sortable, termRank } from '../order-row.ts';
import { isFoundBy, searchedTerms, utrTerm, type OrderSearch } from '../order-search.ts';
import { FIRST_READ, newestFirst, type ListedRow, type RowSource } from '../newest-first.ts';
import { OrderSums, type OrderTotal } from '../order-sums.ts';
import type { OrderPlace, OrdersPage, OrdersQuestion, Page } from '../read-models.ts';
import type { OrderState } from '../../../projections/order-state/index.ts';
import type { WholeOrderRow } from '../statements/order-statements.ts';
import { compareTexts } from '../text-order.ts';
import { FacetTable } from './facet-table.ts';
import { OrderNumbers } from './order-numbers.ts';
import { LAST, OrderRanges, type DateRange, type DueFacet } from './order-ranges.ts';
import { storedOrder } from './order-table.ts';
import { ReportQuery } from './report-query.ts';
import { TermIndex } from './term-index.ts';

/** Facets of a filter, by number. `due`: their orders are in the list only from a moment on. */
type Chosen = {
  readonly always: readonly number[];
  readonly due: readonly DueFacet[];
  readonly orders: number;
  /** Those of them that have settled. */
  readonly settled: number;
  /** Orders of all facets; of a list by settlement, those that have settled. */
  readonly all: number;
};

/** Ranges that are merged in any case; more of them may be looked through in one, row by row. */
const MOST_MERGED = 400;

/** More days than these have the first order of each read by one statement. */
const MANY_DAYS = 40;

/** Orders that are counted one by one at the most; it takes some tens of milliseconds. */
const MOST_COUNTED = 5_000;

/** Rows that are read at a time where some are left out: their places alone, a few microseconds each. */
const ROWS_AT_ONCE = 500;

const placeOf = (after: OrderPlace | null): ListedRow | null =>
  after === null ? null : { no: 0, createdAt: sortable(after.createdAt), orderId: after.orderId };

const isBehind = (row: ListedRow, after: ListedRow | null): boolean =>
  after === null ||
  row.createdAt < after.createdAt ||
  (row.createdAt === after.createdAt && compareTexts(row.orderId, after.orderId) < 0);

/** Lists of orders, newest created first (docs/spec/http.md, Orders). */
export class OrderList {
  readonly #calendar: Calendar;
  readonly #facets: FacetTable;
  readonly #ranges: OrderRanges;
  readonly #terms: TermIndex;
  readonly #numbers: OrderNumbers;
  readonly #report: ReportQuery;

  constructor(database: Database.Database, calendar: Calendar) {
    this.#calendar = calendar;
    this.#facets = new FacetTable(database);
    this.#ranges = new OrderRanges(database, calendar);
    this.#terms = new TermIndex(database, 'order');
    this.#numbers = new OrderNumbers(database);
    this.#report = new ReportQuery(database);
  }

  page(question: OrdersQuestion): OrdersPage<OrderState> {
    const { data, more } = this.#rows(question);
    return { data: data.map(({ no }) => this.#orderAt(no).state), more, total: this.#total(question) };
  }

  /** The same page, each order as the text that is stored. */
  texts(question: OrdersQuestion): OrdersPage<string> {
    const { data, more } = this.#rows(question);
    return { data: data.map(({ no }) => this.#rowAt(no).state), more, total: this.#total(question) };
  }

  /** The same list without some orders, of which no more is read than where they stand. */
  pageWithout(
    { filter, after, limit, now }: OrdersQuestion,
    isLeftOut: (orderId: OrderId) => boolean,
  ): Page<OrderState> {
    const chosen = this.#choose(filter);
    const data: OrderState[] = [];
    const most = Math.max(limit + 1, ROWS_AT_ONCE);
    let place = placeOf(after);
    for (;;) {
      const rows = this.#rowsBehind(filter, chosen, sortable(now), place, most);
      for (const { no, orderId } of rows) {
        if (isLeftOut(branded<OrderId>(orderId))) continue;
        if (data.length === limit) return { data, more: true };
        data.push(this.#orderAt(no).state);
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < most) return { data, more: false };
      place = last;
    }
  }

  #rows({ filter, after, limit, now }: OrdersQuestion): Page<ListedRow> {
    const rows = this.#rowsBehind(filter, this.#choose(filter), sortable(now), placeOf(after), limit + 1);
    return { data: rows.slice(0, limit), more: rows.length > limit };
  }

  #rowsBehind(
    filter: OrderFilter,
    chosen: Chosen,
    dueBefore: string,
    place: ListedRow | null,
    most: number,
  ): readonly ListedRow[] {
    return filter.q === null
      ? newestFirst(this.#sources(filter, chosen, dueBefore, most), place, most)
      : this.#found(filter, filter.q, chosen, dueBefore, place, most);
  }

  /** How many orders there are of the classes of a filter; its dates and its text may leave fewer. */
  atMost(filter: OrderFilter): number {
    return this.#choose(filter).orders;
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
   * one only where the clock or a text chooses them, and not more of them than `MOST_COUNTED`.
   */
  #total({ filter, now, counted }: OrdersQuestion): OrderTotal | null {
    if (!counted) return null;
    const sums = new OrderSums();
    const chosen = this.#choose(filter);
    const dueBefore = sortable(now);
    const most = MOST_COUNTED + 1;
    if (filter.q === null) this.#addWholeClasses(sums, filter);
    const oneByOne =
      filter.q === null
        ? newestFirst(this.#dueSources(filter, chosen, dueBefore), null, most)
        : this.#found(filter, filter.q, chosen, dueBefore, null, most);
    for (const { no } of oneByOne.slice(0, MOST_COUNTED)) {
      const { fiat } = this.#orderAt(no).state;
      sums.add(fiat.currency, 1, exactOf(fiat.amount));
    }
    return sums.total(oneByOne.length > MOST_COUNTED);
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

  #choose(filter: OrderFilter): Chosen {
    const [always, due]: [number[], DueFacet[]] = [[], []];
    const isSettled = filter.basis === 'settled';
    let [orders, settled, all] = [0, 0, 0];
    for (const { id, facet, orders: inIt, settled: settledInIt } of this.#facets.all()) {
      all += isSettled ? settledInIt : inIt;
      const match = isSettled && settledInIt === 0 ? 'never' : facetMatch(facet, filter);
      // No order that its clock anomaly awaits has settled.
      if (match === 'never' || (match === 'when-due' && isSettled)) continue;
      if (match === 'always') always.push(id);
      else due.push({ id, clock: facet.clock });
      orders += inIt;
      settled += settledInIt;
    }
    return { always, due, orders, settled, all };
  }

  #range({ from, to }: OrderFilter): DateRange {
    return {
      from: from === null ? '' : sortable(this.#calendar.bounds(from).from),
      until: to === null ? LAST : sortable(this.#calendar.bounds(to).until),
      firstDay: from ?? '',
      lastDay: to ?? LAST,
    };
  }

  /**
   * Index ranges whose rows, merged, are the list. By creation: one for each facet, or the whole list looked through,
   * where all facets are in it or very many. By settlement: one for each day, looked through for the facets, or, where
   * that would look at more rows than the facets have, the facets looked through for the days.
   */
  #sources(filter: OrderFilter, chosen: Chosen, dueBefore: string, most: number): readonly RowSource[] {
    if (filter.basis === 'settled') return this.#settledSources(chosen, this.#range(filter), most);
    const { always, due, orders, all } = chosen;
    const within = this.#within(filter);
    if (orders === all && due.length === 0) return [this.#ranges.created(within, null)];
    const lookedAt = (most * all) / Math.max(1, orders);
    const isLookedThrough = always.length > MOST_MERGED && lookedAt < always.length * FIRST_READ;
    return [
      ...(isLookedThrough
        ? [this.#ranges.created(within, new Set(always))]
        : always.map((facet) => this.#ranges.ofFacet(facet, within))),
      ...this.#dueSources(filter, chosen, dueBefore),
    ];
  }

  /** Orders that their clock anomaly brings into the list. */
  #dueSources(filter: OrderFilter, { due }: Chosen, dueBefore: string): readonly RowSource[] {
    const within = this.#within(filter);
    return due.map((facet) => this.#ranges.dueOfFacet(facet, within, dueBefore));
  }

  /** Null where a filter has no dates. */
  #within(filter: OrderFilter): DateRange | null {
    return filter.from === null && filter.to === null ? null : this.#range(filter);
  }

  #settledSources({ always, orders, settled, all }: Chosen, range: DateRange, most: number): readonly RowSource[] {
    const byFacet = (): readonly RowSource[] => always.map((facet) => this.#ranges.settledOfFacet(facet, range));
    // Without dates nearly every order of these facets is in the list.
    if (range.firstDay === '' && range.lastDay === LAST) return byFacet();
    const days = this.#ranges.settledDays(range);
    const inRange = days.reduce((sum, day) => sum + day.orders, 0);
    const lookedAtByDay = (days.length + most) * (all / Math.max(1, settled));
    if (orders < lookedAtByDay || inRange === 0) return byFacet();
    const facets = settled === all ? null : new Set(always);
    if (days.length > MANY_DAYS) return [this.#ranges.settledIn(range, facets)];
    return days.map(({ day }) => this.#ranges.settledOn(day, facets));
  }

  #orderAt(no: number): ProjectedOrder {
    return storedOrder(this.#rowAt(no)).order;
  }

  #rowAt(no: number): WholeOrderRow {
    const row = this.#ranges.row(no);
    if (row === undefined) throw new Error(`order row ${no} of the read models is gone; run "ramp-ledger replay"`);
    return row;
  }

  /** Orders that a text finds: candidates of the term index, compared with the text and the rest of the filter. */
  #found(
    filter: OrderFilter,
    q: OrderSearch,
    chosen: Chosen,
    dueBefore: string,
    after: ListedRow | null,
    most: number,
  ): readonly ListedRow[] {
    const range = this.#range(filter);
    const [always, due] = [new Set(chosen.always), new Set(chosen.due.map(({ id }) => id))];
    const isIn = (no: number, rank: number | null): ListedRow | null => {
      const row = this.#ranges.row(no);
      if (row === undefined) return null;
      const isDue = due.has(row.facet) && row.clock_after !== null && row.clock_after < dueBefore;
      const day = filter.basis === 'settled' ? row.settled_day : row.created_day;
      if (!isDue && !always.has(row.facet)) return null;
      if (day === null || day < range.firstDay || day > range.lastDay) return null;
      const { order } = storedOrder(row);
      const listed = { no, createdAt: sortable(order.state.createdAt), orderId: order.state.orderId };
      // An order whose creation was changed since is found at its new place.
      if (rank !== null && termRank(order.state.createdAt) !== rank) return null;
      return isFoundBy(order, q) && isBehind(listed, after) ? listed : null;
    };
    const rows = new Map<number, ListedRow>();
    const add = (row: ListedRow | null): void => {
      if (row !== null) rows.set(row.no, row);
    };
    const own = this.#numbers.numberOf(q.text);
    if (own !== null) add(isIn(own, null));
    const fromRank = after === null ? -Number.MAX_SAFE_INTEGER : termRankOf(after);
    for (const term of searchedTerms(q)) {
      let lastRank: number | null = null;
      const found = new Set<number>();
      for (const { rank, ref } of this.#terms.find(term, fromRank)) {
        // Entries of one rank are one moment, within which the list is ordered by more than the rank.
        if (found.size > most && rank !== lastRank) break;
        lastRank = rank;
        const row = isIn(ref, rank);
        if (row !== null) found.add(row.no);
        add(row);
      }
    }
    return newestFirst([inOrder([...rows.values()])], null, most);
  }
}

const termRankOf = ({ createdAt }: ListedRow): number => -Date.parse(`${createdAt}Z`);

const inOrder = (rows: ListedRow[]): RowSource => {
  rows.sort((a, b) => (isBehind(b, a) ? -1 : 1));
  return (after, most) => rows.filter((row) => isBehind(row, after)).slice(0, most);
};
