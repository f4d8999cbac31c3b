import { inListOrder, type ListedRow } from '../../newest-first.ts';
import type { OrderFilter } from '../../order-filter.ts';
import { sortable, termRank } from '../../order-row.ts';
import { isFoundBy, searchedTerms, type OrderSearch } from '../../order-search.ts';
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

/** How far is looked: so many orders, or as many as come to more than so many characters of their states. */
export type Most = { readonly rows: number; readonly bytes: number };

/** An order of a list. `bytes`: how many characters of its state were read to find it; left out where none were. */
type FoundRow = ListedRow & { readonly bytes?: number };

/** Orders in the order of lists. `areAll`: there are no others. */
export type Found = { readonly rows: readonly FoundRow[]; readonly areAll: boolean };

/** An order that is in the list, and how long its state is. */
type Sized = ListedRow & { readonly bytes: number };

const termRankOf = ({ createdAt }: ListedRow): number => -Date.parse(`${createdAt}Z`);

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

  /**
   * Orders that a text finds: candidates of the term index, compared with the text and the rest of the filter. Each term is looked
   * through until there is enough of it, so that the first of all that are found come to as much, and none is missing among them.
   */
  find({ filter, q, chosen, range, dueBefore }: OrderSearched, after: ListedRow | null, most: Most): Found {
    const [always, due] = [idsOf(chosen.always), idsOf(chosen.due)];
    const isIn = (no: number, rank: number | null): Sized | null => {
      const row = this.#ranges.row(no);
      if (row === undefined) return null;
      const isDue = due.has(row.facet) && row.clock_after !== null && row.clock_after < dueBefore;
      const day = filter.basis === 'settled' ? row.settled_day : row.created_day;
      if (!isDue && !always.has(row.facet)) return null;
      if (day === null || day < range.firstDay || day > range.lastDay) return null;
      const { order } = storedOrder(row);
      const { createdAt, orderId } = order.state;
      const listed = { no, createdAt: sortable(createdAt), orderId, bytes: row.state.length };
      // An order whose creation was changed since is found at its new place.
      if (rank !== null && termRank(createdAt) !== rank) return null;
      return isFoundBy(order, q) && (after === null || inListOrder(after, listed) < 0) ? listed : null;
    };
    const rows = new Map<number, Sized>();
    const add = (found: Sized | null): void => {
      if (found !== null) rows.set(found.no, found);
    };
    let areAll = true;
    /** Up to here every term was looked through: behind it one may be missing that another term stopped before. */
    let through = Number.MAX_SAFE_INTEGER;
    const own = this.#numbers.numberOf(q.text);
    if (own !== null) add(isIn(own, null));
    const fromRank = after === null ? -Number.MAX_SAFE_INTEGER : termRankOf(after);
    for (const term of searchedTerms(q)) {
      let lastRank: number | null = null;
      const found = new Set<number>();
      let bytes = 0;
      for (const { rank, ref } of this.#terms.find(term, fromRank)) {
        // Entries of one rank are one moment, within which the list is ordered by more than the rank.
        if ((found.size > most.rows || (found.size > 1 && bytes > most.bytes)) && rank !== lastRank) {
          areAll = false;
          through = Math.min(through, lastRank ?? through);
          break;
        }
        lastRank = rank;
        const one = isIn(ref, rank);
        if (one !== null && !found.has(one.no)) bytes += one.bytes;
        if (one !== null) found.add(one.no);
        add(one);
      }
    }
    const whole = [...rows.values()].filter((row) => termRankOf(row) <= through).toSorted(inListOrder);
    return { rows: whole.slice(0, most.rows), areAll: areAll && whole.length <= most.rows };
  }
}
