import { join } from 'node:path';
import { either as E, taskEither as TE } from 'fp-ts';
import { inTime } from '../concurrency/in-time.ts';
import { wait } from '../concurrency/wait.ts';
import type { Config } from '../config/index.ts';
import { troubleLine } from '../domain/trouble.ts';
import type { EventStore, Readiness, StoreUnavailable } from '../event-store/event-store.ts';
import { readSpoolState } from '../event-store/spool/read-spool-state.ts';
import type { SpoolState } from '../event-store/spool.ts';
import { SqliteSpool } from '../event-store/spool/sqlite-spool.ts';
import type { KnownQuarantine, QuarantinedBodies } from '../ledger/quarantined-bodies.ts';
import type { RecentOrders } from '../ledger/recent-orders.ts';
import { recordDelivery } from '../ledger/record-delivery.ts';
import { startSpooling } from '../ledger/spooling.ts';
import { systemClock } from '../telemetry/system-clock.ts';
import type { ReceiveDeps } from '../webhooks/receive-delivery.ts';
import type { StoreLog } from './store-log.ts';

/** How deliveries are recorded. */
export type Recording = {
  readonly record: ReceiveDeps['record'];
  /** Whether a delivery could be accepted now. */
  readonly readiness: () => Readiness;
  /** What waits for the store; null where there is no spool. */
  readonly spool: () => SpoolState | null;
  /** Finishes what is under way. */
  readonly close: () => Promise<void>;
};

type Deps = {
  readonly config: Config;
  readonly store: EventStore;
  readonly recent: RecentOrders;
  readonly quarantine: KnownQuarantine;
  readonly log: StoreLog;
};

/** A delivery waits so long for the quarantine to be read; then it is spooled. */
const QUARANTINE_WITHIN_MS = 2_000;

const STILL_READING: StoreUnavailable = {
  _tag: 'StoreUnavailable',
  detail: 'the quarantine is still being read from the event store',
};

/** What is known of the quarantine, once it was read. */
const known =
  ({ load }: KnownQuarantine): TE.TaskEither<StoreUnavailable, QuarantinedBodies> =>
  () =>
    inTime(QUARANTINE_WITHIN_MS, load(), E.left(STILL_READING));

const holdsDeliveries = (file: string): boolean => {
  const state = readSpoolState(file);
  return E.isLeft(state) || (state.right !== null && state.right.depth > 0);
};

/**
 * Records deliveries over an embedded store at once; over one on another machine with a spool beside it
 * (docs/spec/receiving.md, Replies). A Left says in one line why the spool can't be used.
 */
export const startRecording = ({ config, store, recent, quarantine, log }: Deps): E.Either<string, Recording> => {
  const now = systemClock();
  const recordKnowing = (quarantined: QuarantinedBodies) => recordDelivery({ store, recent, quarantined });
  const record: Parameters<typeof startSpooling>[0]['record'] = (delivery) => {
    const { bodies } = quarantine;
    if (bodies !== null) return recordKnowing(bodies)(delivery);
    return TE.chainW((read: QuarantinedBodies) => recordKnowing(read)(delivery))(known(quarantine));
  };
  const file = join(config.dataDir, 'spool.db');
  // What an earlier store on another machine did not get in time was acknowledged: it goes to the one of now.
  if (config.eventStore.kind === 'sqlite' && !holdsDeliveries(file)) {
    return E.right({ record, readiness: store.readiness, spool: () => null, close: () => Promise.resolve() });
  }
  const opened = SqliteSpool.open({
    file,
    mostBytes: config.spoolMaxBytes,
    longestBody: config.webhooks.maxBodyBytes,
    clockMs: () => performance.now(),
  });
  if (E.isLeft(opened)) return E.left(troubleLine(opened.left));
  const spool = opened.right;
  const spooling = startSpooling({
    record,
    spool,
    storeReadiness: store.readiness,
    wait,
    random: Math.random,
    now,
    onEvent: log.onSpool,
  });
  return E.right({
    record: spooling.record,
    readiness: spooling.readiness,
    spool: spooling.state,
    close: async () => {
      await spooling.close();
      spool.close();
    },
  });
};
