import type Database from 'better-sqlite3';
import { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { OrderDigests, type OrderDigestData } from '../../order-digests.ts';
import { orderStatements } from '../../statements/order-statements.ts';
import { verifyMatchStatements } from '../../statements/verify-match-statements.ts';
import { readModelFailure, type ReadModelFailure } from '../../verification.ts';
import { eachStoredEntry, EntryDigests, type EntriesOf, type OrderKind } from './order-entries.ts';

/** What the indexes of a generation find orders by. */
export type StoredEntries = { readonly digests: OrderDigestData; readonly failures: readonly ReadModelFailure[] };

const WHAT: Readonly<Record<OrderKind, string>> = {
  id: 'orders by their ids',
  order: 'orders by what is searched',
  match: 'orders and evidence for the match',
};

/** Which indexes of a generation are to be looked at. */
export const entriesOf = (database: Database.Database): EntriesOf => ({
  match: new SqliteStatements(database).one(verifyMatchStatements.isAny, {}).found !== 0,
});

/** Reads what the indexes find orders by, as of now. */
export const storedEntries = (database: Database.Database, of: EntriesOf): StoredEntries => {
  const digests = new EntryDigests();
  const read = (): readonly ReadModelFailure[] => {
    const last = new SqliteStatements(database).one(orderStatements.lastNo, {}).no ?? 0;
    let beyond = 0;
    const damaged = eachStoredEntry(database, of, (no, kind, term, rank) => {
      // Not by far any number may be kept in memory.
      if (no > last) beyond += 1;
      else digests.add(no, kind, term, rank);
    });
    const failures = damaged.map((kind) => entriesDiffer(`the index that finds ${WHAT[kind]} is damaged`));
    return beyond === 0 ? failures : [...failures, entriesDiffer(`${beyond} entries of an index lead to no order`)];
  };
  // Of one moment: meanwhile runs may be merged.
  const failures = database.transaction(read).deferred();
  return { digests: digests.data, failures };
};

const entriesDiffer = (detail: string): ReadModelFailure => readModelFailure('read-model-order-differs', detail);

/**
 * Holds what indexes find orders by to what orders come to. Entries are never taken away, so that an order that has changed
 * may be found by more than it has now: which entries are wrong is told by looking at it again.
 */
export class EntryVerification {
  readonly #expected = new OrderDigests();
  readonly #stored = new OrderDigests();

  /** Adds what some orders come to. */
  add(entries: OrderDigestData): void {
    this.#expected.addAll(entries);
  }

  /** Adds what the indexes have. */
  addStored({ digests }: Pick<StoredEntries, 'digests'>): void {
    this.#stored.addAll(digests);
  }

  /** The numbers of orders that indexes find by something else than they have, in growing order. */
  suspects(): readonly number[] {
    return [...this.#expected.differing(this.#stored)].toSorted((a, b) => a - b);
  }
}
