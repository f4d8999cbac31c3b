import { newestFirst, type ListedRow, type RowSource } from '../../newest-first.ts';
import type { OrderFilter } from '../../order-filter.ts';
import { sortable, termRank } from '../../order-row.ts';
import { isFoundBy, searchedTerms, type OrderSearch } from '../../order-search.ts';
import { compareTexts } from '../../text-order.ts';
import type { TermIndex } from '../terms/term-index.ts';
import type { ChosenFacets } from './chosen-facets.ts';
import type { OrderNumbers } from './order-numbers.ts';
import type { DateRange, OrderRanges } from './order-ranges.ts';
import { storedOrder } from './order-table.ts';

/** What is searched, and how far: the facets and days of a filter, and before when orders have fallen due. */
type OrderSearched = {
  readonly filter: OrderFilter;
  readonly q: OrderSearch;
  readonly chosen: ChosenFacets;
  readonly range: DateRange;
  readonly dueBefore: string;
};

const isBehind = (row: ListedRow, after: ListedRow | null): boolean =>
  after === null ||
  row.createdAt < after.createdAt ||
  (row.createdAt === after.createdAt && compareTexts(row.orderId, after.orderId) < 0);

const termRankOf = ({ createdAt }: ListedRow): number => -Date.parse(`${createdAt}Z`);

const inOrder = (rows: ListedRow[]): RowSource => {
  rows.sort((a, b) => (isBehind(b, a) ? -1 : 1));
  return (after, most) => rows.filter((row) => isBehind(row, after)).slice(0, most);
};

const idsOf = (facets: readonly { readonly id: number }[]): ReadonlySet<number> => new Set(facets.map(({ id }) => id));

/** Orders that are found by a text. */
export class FoundOrders {
  readonly #ranges: OrderRanges;
  readonly #terms: TermIndex;
  readonly #numbers: OrderNumbers;

  constructor(ranges: OrderRanges, terms: TermIndex, numbers: OrderNumbers) {
    this.#ranges = ranges;
    this.#terms = terms;
    this.#numbers = numbers;
  }

  /** Orders that a text finds: candidates of the term index, compared with the text and the rest of the filter. */
  find(
    { filter, q, chosen, range, dueBefore }: OrderSearched,
    after: ListedRow | null,
    most: number,
  ): readonly ListedRow[] {
    const [always, due] = [idsOf(chosen.always), idsOf(chosen.due)];
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
