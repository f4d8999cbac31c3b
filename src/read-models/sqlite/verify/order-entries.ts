import type Database from 'better-sqlite3';
import { matchOrderOf } from '../../../../projections/match/match-order.ts';
import type { Calendar } from '../../../domain/business-day.ts';
import { orderMatchTerms } from '../../match-terms.ts';
import { OrderDigests, type OrderDigestData } from '../../order-digests.ts';
import { termRank } from '../../order-row.ts';
import { searchTerms } from '../../order-search.ts';
import type { ProjectedOrder } from '../../projected-order.ts';
import { isOrderRef, numberOfRef } from '../match/match-refs.ts';
import { TermIndex } from '../terms/term-index.ts';
import type { TermKind } from '../terms/term-statements.ts';
import { termOf } from '../terms/term.ts';

/** Indexes that lead to orders. */
export type OrderKind = Extract<TermKind, 'order' | 'id' | 'match'>;

/** What is looked at: that of the match is of no use to anybody as long as nothing was imported. */
export type EntriesOf = { readonly match: boolean };

/** Takes an entry. `rank`: 0 where the index ranks by the order's number. */
type TakeEntry = (kind: OrderKind, term: number, rank: number) => void;

/** Hands over the entries by which an order is found. */
export const eachOrderEntry = (order: ProjectedOrder, calendar: Calendar, of: EntriesOf, take: TakeEntry): void => {
  const { orderId, createdAt } = order.state;
  take('id', termOf(orderId), 0);
  const rank = termRank(createdAt);
  for (const term of searchTerms(order)) take('order', term, rank);
  if (!of.match) return;
  for (const term of orderMatchTerms(matchOrderOf(order.state, calendar))) take('match', term, 0);
};

/**
 * Hands over the entries that lead to orders, each with the order's number. It belongs into a transaction: meanwhile runs of
 * the indexes may be merged.
 *
 * @returns the indexes whose runs are not as a search needs them
 */
export const eachStoredEntry = (
  database: Database.Database,
  { match }: EntriesOf,
  take: (no: number, kind: OrderKind, term: number, rank: number) => void,
): readonly OrderKind[] =>
  KINDS.filter((kind) => {
    if (kind === 'match' && !match) return false;
    return !new TermIndex(database, kind).inspect((term, rank, ref) => {
      if (kind === 'order') take(ref, kind, term, rank);
      else if (kind === 'id') take(ref, kind, term, 0);
      else if (isOrderRef(ref)) take(numberOfRef(ref), kind, term, 0);
    });
  });

const KINDS = ['id', 'order', 'match'] as const satisfies readonly OrderKind[];

/** Tells entries of one index from those of another, where they are digested together. */
const SEEDS: Readonly<Record<OrderKind, number>> = { id: 1, order: 2, match: 3 };

/** Digests entries, order by order. */
export class EntryDigests {
  readonly #digests = new OrderDigests();

  add(no: number, kind: OrderKind, term: number, rank: number): void {
    this.#digests.add(no, SEEDS[kind], term, rank);
  }

  /** Adds all entries by which an order is found. */
  addOrder(no: number, order: ProjectedOrder, calendar: Calendar, of: EntriesOf): void {
    eachOrderEntry(order, calendar, of, (kind, term, rank) => this.add(no, kind, term, rank));
  }

  get data(): OrderDigestData {
    return this.#digests.data;
  }
}
