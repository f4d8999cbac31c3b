import { randomBytes } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import { inTime } from '../src/concurrency/in-time.ts';
import { connect } from '../src/event-store/eventstoredb/connection.ts';
import { openEventStoreDbServing } from '../src/event-store/eventstoredb/eventstoredb-event-store.ts';
import { KnownQuarantine } from '../src/ledger/quarantined-bodies.ts';
import { RecentOrders } from '../src/ledger/recent-orders.ts';
import type { AppendKind } from './append-kind.ts';
import { appendLoad, type Appends } from './append-stretch.ts';
import { newDeliveries } from './delivery-source.ts';
import { firstStatus, interleaved } from './ingest-mode.ts';
import { newThroughLedger, repeatedThroughLedger } from './ledger-appends.ts';
import type { OwnedResources } from './owned-resources.ts';
import { rawAppends } from './raw-appends.ts';

/** The ledger's store and the raw client, each with a connection of its own to one server. */
export type AppendScene = {
  readonly kinds: Readonly<Record<Exclude<AppendKind, 'http'>, Appends>>;
  /** @throws Error where the ledger's subscription was lost: appends were then looked at in another way */
  readonly assertTail: () => void;
  readonly close: () => Promise<void>;
};

const STANDS_WITHIN_MS = 60_000;

/** As many recent orders as a serving ledger remembers. */
const RECENT_ORDERS = 50_000;
/**
 * How many other orders come between two statuses of one order: four times as many deliveries, more than are ever in
 * flight.
 */
const ORDERS_BETWEEN = 300;
const ORIGINALS = 4_000;

/** After so many deliveries of the mode `four`, every order that gets an event began within the run. */
export const FOUR_BEGUN = 4 * 3 * ORDERS_BETWEEN;

/** With more in flight than this, two deliveries of one order could be under way at once. */
export const MOST_IN_FLIGHT = 2 * ORDERS_BETWEEN;

/** A new name for what a run appends to a server that others use too. */
export const newStreamPrefix = (): string => `bench-${randomBytes(6).toString('hex')}-`;

/** Opens both sides, and records the originals of the duplicates. */
export const openScene = async (owned: OwnedResources, url: string, inFlight: number): Promise<AppendScene> => {
  const raw = connect(url);
  if (E.isLeft(raw)) throw new Error(raw.left);
  const { client, credentials } = raw.right;
  const prefix = newStreamPrefix();
  const dataDir = owned.directory();
  const quarantine = new KnownQuarantine();
  let away: string | null = 'it never stood';
  const stands = Promise.withResolvers<void>();
  const opened = await openEventStoreDbServing(
    { url, streamPrefix: `${prefix}ledger-`, dataDir },
    {
      onEvents: (events) => quarantine.saw(events.map(({ stream }) => stream)),
      onState: (problem) => {
        away = problem;
        if (problem === null) stands.resolve();
      },
    },
  );
  if (E.isLeft(opened)) throw new Error(opened.left.detail);
  const store = opened.right;
  const assertTail = (): void => {
    if (away !== null) throw new Error(`the ledger's subscription: ${away}`);
  };
  // A server that is far away, or busy, takes a while.
  await inTime(STANDS_WITHIN_MS, stands.promise, undefined);
  assertTail();
  const quarantined = await quarantine.load(store)();
  if (E.isLeft(quarantined)) throw new Error(quarantined.left.detail);
  const deps = (remembered: number) => ({
    store,
    quarantined: quarantined.right,
    recent: new RecentOrders(remembered),
  });

  const [forNew, forRepeats] = [deps(RECENT_ORDERS), deps(RECENT_ORDERS)];
  const source = newDeliveries(firstStatus);
  const originals = newThroughLedger(forRepeats, source);
  originals.prepare(0, ORIGINALS);
  await appendLoad(originals, { inFlight, seconds: Infinity, most: ORIGINALS })();
  // As providers repeat them: the same bodies, received anew.
  const repeats = source(0, ORIGINALS);

  return {
    kinds: {
      unary: rawAppends(client(), { credentials }, `${prefix}unary-`, newDeliveries(firstStatus)),
      batch: rawAppends(client(), {}, `${prefix}batch-`, newDeliveries(firstStatus)),
      distinct: newThroughLedger(forNew, newDeliveries(firstStatus)),
      four: newThroughLedger(forNew, newDeliveries(interleaved(ORDERS_BETWEEN))),
      duplicates: repeatedThroughLedger(forRepeats, repeats),
      forgotten: repeatedThroughLedger(deps(1), repeats),
    },
    assertTail,
    close: async () => {
      await store.close();
      await raw.right.close();
      owned.remove(dataDir);
    },
  };
};
