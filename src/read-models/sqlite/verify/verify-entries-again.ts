import type Database from 'better-sqlite3';
import * as E from 'fp-ts/lib/Either.js';
import { atMost } from '../../../concurrency/at-most.ts';
import { branded } from '../../../domain/brand.ts';
import { businessCalendar, type Calendar } from '../../../domain/business-day.ts';
import { orderStream, type OrderId, type StreamName } from '../../../domain/ids.ts';
import type { RecordedEvent } from '../../../domain/recorded-event.ts';
import type { EventStore, StoreUnavailable } from '../../../event-store/event-store.ts';
import { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { compared } from '../../compared.ts';
import { isAt } from '../../is-at.ts';
import { orderStatements } from '../../statements/order-statements.ts';
import { StreamFold } from '../../stream-fold.ts';
import { failureOfEvents, type ReadModelFailure } from '../../verification.ts';
import { servingGeneration } from '../serving-generation.ts';
import { eachOrderEntry, eachStoredEntry, type EntriesOf } from './order-entries.ts';
import { entriesOf } from './verify-entries.ts';

/** Orders whose entries are held at a time, some hundred bytes each: for each so many the indexes are gone through once. */
const ORDERS_AT_ONCE = 16_384;
/** Streams that are read at a time. */
const READS_AT_ONCE = 32;
/** Differences that are named; more of them say no more. */
const MOST_NAMED = 100;
/** What an order was found by before is told from its first so many events; of more each would be folded too often. */
const MOST_FOLDED = 1_000;

type Looking = { readonly calendar: Calendar; readonly of: EntriesOf };

/** Entries by their texts, each as often as it is there. */
type Entries = Map<string, number>;

const keyOf = (kind: string, term: number, rank: number): string => `${kind} ${String(term)} ${String(rank)}`;

const count = (entries: Entries, key: string, more: number): void => {
  entries.set(key, (entries.get(key) ?? 0) + more);
};

/** What an order is found by after so many of its events; nothing where these come to no order. */
const entriesAfter = (fold: StreamFold, events: number, { calendar, of }: Looking): Entries => {
  const entries: Entries = new Map();
  const { order } = fold.first(events);
  const take = (kind: string, term: number, rank: number): void => count(entries, keyOf(kind, term, rank), 1);
  if (order !== null) eachOrderEntry(order, calendar, of, take);
  return entries;
};

/**
 * What batches can have added while the order came to be what it is: an entry each time it came back, as often as the order
 * ever had it.
 */
const entriesEver = (fold: StreamFold, looking: Looking): Entries => {
  const [came, most]: readonly [Entries, Entries] = [new Map(), new Map()];
  let before: Entries = new Map();
  for (let events = 1; events <= fold.events.length; events += 1) {
    const its = entriesAfter(fold, events, looking);
    for (const [key, times] of its) {
      if (!before.has(key)) count(came, key, 1);
      most.set(key, Math.max(times, most.get(key) ?? 0));
    }
    before = its;
  }
  return new Map([...came].map(([key, times]) => [key, times * (most.get(key) ?? 1)]));
};

/** What is wrong about how an order is found; null for nothing. */
const wrongIn = (stored: Entries, events: readonly RecordedEvent[], looking: Looking): string | null => {
  const fold = new StreamFold(events);
  const its = entriesAfter(fold, events.length, looking);
  if ([...its.keys()].some((key) => !stored.has(key))) return 'an index lacks what it is found by';
  const isMore = (than: Entries): boolean => [...stored].some(([key, times]) => times > (than.get(key) ?? 0));
  if (!isMore(its) || events.length > MOST_FOLDED) return null;
  return isMore(entriesEver(fold, looking)) ? 'an index finds it by what it never had' : null;
};

const storedOf = (
  database: Database.Database,
  of: EntriesOf,
  orders: readonly number[],
): ReadonlyMap<number, Entries> => {
  const stored = new Map<number, Entries>(orders.map((no) => [no, new Map()]));
  eachStoredEntry(database, of, (no, kind, term, rank) => {
    const its = stored.get(no);
    if (its !== undefined) count(its, keyOf(kind, term, rank), 1);
  });
  return stored;
};

/**
 * Looks once more at orders whose entries in indexes were not what their events come to: as of one moment, and with what
 * they had before, since entries are never taken away.
 *
 * @param generation that the numbers of the orders are of; another one was built from the log meanwhile
 * @param known streams that something was found of already
 */
export const verifyEntriesAgain = async (
  store: Pick<EventStore, 'readStream'>,
  readModelFile: string | null,
  { generation, orders }: { readonly generation: number; readonly orders: readonly number[] },
  known: ReadonlySet<StreamName | null>,
): Promise<E.Either<StoreUnavailable, readonly ReadModelFailure[]>> => {
  const serving = servingGeneration(readModelFile, 'of-one-moment');
  if (typeof serving === 'string') return E.right([]);
  const { database, timeZone, checkpoint, close } = serving;
  const [looking, sql] = [
    { calendar: businessCalendar(timeZone), of: entriesOf(database) },
    new SqliteStatements(database),
  ];
  const failures: ReadModelFailure[] = [];
  const look = async (no: number, stored: Entries): Promise<E.Either<StoreUnavailable, void>> => {
    if (failures.length >= MOST_NAMED) return E.right(undefined);
    const row = sql.get(orderStatements.byNo, { no });
    if (row === undefined) {
      failures.push(
        failureOfEvents('read-model-order-differs', null, [], `an index leads to order row ${no}, which is not there`),
      );
      return E.right(undefined);
    }
    const orderId = branded<OrderId>(row.order_id);
    const stream = orderStream(orderId);
    if (known.has(stream)) return E.right(undefined);
    const read = await store.readStream(stream)();
    if (E.isLeft(read)) return read;
    const events = read.right.filter(({ position }) => isAt(checkpoint, position));
    const wrong = wrongIn(stored, events, looking);
    if (wrong !== null) failures.push(failureOfEvents('read-model-order-differs', orderId, events, wrong));
    return E.right(undefined);
  };
  try {
    if (serving.generation !== generation) return E.right([]);
    for (let from = 0; from < orders.length && failures.length < MOST_NAMED; from += ORDERS_AT_ONCE) {
      const some = orders.slice(from, from + ORDERS_AT_ONCE);
      const stored = compared(
        () => storedOf(database, looking.of, some),
        // It was named when the entries were read for the first time.
        () => new Map<number, Entries>(),
      );
      const looked = await atMost(READS_AT_ONCE, [...stored], ([no, its]) => look(no, its));
      if (E.isLeft(looked)) return looked;
    }
    return E.right(failures.slice(0, MOST_NAMED));
  } finally {
    close();
  }
};
