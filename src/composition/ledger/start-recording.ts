import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { failing, type CommandFailure } from '../../cli/command-failure.ts';
import { inTime } from '../../concurrency/in-time.ts';
import { UntilGivenUp } from '../../concurrency/until-given-up.ts';
import { wait } from '../../concurrency/wait.ts';
import type { Config, Secrets } from '../../config/index.ts';
import type { Instant } from '../../domain/instant.ts';
import { troubleLine } from '../../domain/trouble.ts';
import type { EventStore, Readiness, StoreUnavailable } from '../../event-store/event-store.ts';
import { held } from '../../event-store/kept-place.ts';
import { lockOf } from '../../event-store/sqlite/data-dir-lock.ts';
import { mayHoldDeliveries } from '../../event-store/spool/may-hold-deliveries.ts';
import type { SpoolState } from '../../event-store/spool.ts';
import type { KnownQuarantine } from '../../ledger/quarantined-bodies.ts';
import type { Recorded, RecordFailure } from '../../ledger/recorded.ts';
import type { RecentOrders } from '../../ledger/recent-orders.ts';
import { recallDelivery } from '../../ledger/recall-delivery.ts';
import { recordKnowingQuarantine } from '../../ledger/record-knowing-quarantine.ts';
import { startSpooling } from '../../ledger/spooling.ts';
import type { OnThreadState } from '../../threads/lasting-thread.ts';
import { openThreadedSpool } from '../../threads/threaded-spool.ts';
import type { ReceiveDeps } from '../../webhooks/receive-delivery.ts';
import { signerOf } from '../webhook-keys.ts';
import type { StoreLog } from './store-log.ts';

/** How deliveries are recorded. */
export type Recording = {
  /** What became of bytes that were recorded before, where that is known at once. */
  readonly recall: ReceiveDeps['recall'];
  readonly record: ReceiveDeps['record'];
  /** Whether a delivery could be accepted now. */
  readonly readiness: () => Readiness;
  /** Whether the event store takes them: what it said last, where some wait for it. */
  readonly storeReadiness: () => Readiness;
  /** What waits for the store; null where there is no spool. */
  readonly spool: () => SpoolState | null;
  /** Says that the connection to the store is there again. */
  readonly storeIsBack: () => void;
  /** Says that it broke, or that its disk hangs: who waits for it is answered at once. */
  readonly storeIsBroken: () => void;
  /** Says that what it has may not be what the next start finds: nothing is acknowledged any more, no repeat either. */
  readonly storeIsLost: () => void;
  /** Finishes what is under way. */
  readonly close: () => Promise<void>;
};

/** As it comes from one store or the other, which knows nothing of its being lost. */
type Recorder = Omit<Recording, 'storeIsLost'>;

type Deps = {
  readonly config: Config;
  readonly store: EventStore;
  readonly recent: RecentOrders;
  readonly quarantine: KnownQuarantine;
  readonly log: StoreLog;
  readonly secrets: () => Secrets;
  readonly now: () => Instant;
  readonly onThreadState: OnThreadState;
};

/** A file on a slow disk is no better than the spool's. */
const DISK_WITHIN_MS = 60_000;

const LOST: E.Either<StoreUnavailable, never> = E.left({
  _tag: 'StoreUnavailable',
  detail: 'the files of the events are not what they were: nothing is acknowledged until the ledger is restarted',
});

/**
 * A repeat of what is remembered, or read from files that nobody finds any more, would be answered as recorded; the provider does not
 * send again what was, and the next start has none of it.
 */
const untilLost = (recorder: Recorder): Recording => {
  let isLost = false;
  return {
    ...recorder,
    recall: (verified) => (isLost ? null : recorder.recall(verified)),
    record: (delivery) => () => (isLost ? Promise.resolve(LOST) : recorder.record(delivery)()),
    storeIsLost: () => {
      isLost = true;
    },
  };
};

const GIVEN_UP: E.Either<StoreUnavailable, never> = E.left({
  _tag: 'StoreUnavailable',
  detail: 'the disk does not answer; deliver again: what became durable meanwhile is recognised',
});

/** How deliveries are recorded over a store that is what it was. */
const startRecorder = async ({
  config,
  store,
  recent,
  quarantine,
  log,
  secrets,
  now,
  onThreadState,
}: Deps): Promise<E.Either<CommandFailure, Recorder>> => {
  const record = recordKnowingQuarantine({ store, recent, quarantine });
  const file = join(config.dataDir, 'spool.db');
  // What an earlier store on another machine did not get in time was acknowledged: it goes to the one of now.
  if (config.eventStore.kind === 'sqlite' && !mayHoldDeliveries(file)) {
    // What is given up is recorded to its end all the same, so that its order is remembered as it is then.
    const waiting = new UntilGivenUp();
    return E.right({
      recall: recallDelivery({ recent, quarantine }),
      record: (delivery) => () =>
        waiting.wait<E.Either<RecordFailure, Recorded>, E.Either<RecordFailure, Recorded>>(
          record(delivery)(),
          GIVEN_UP,
        ),
      readiness: store.readiness,
      storeReadiness: store.readiness,
      spool: () => null,
      storeIsBack: () => undefined,
      storeIsBroken: waiting.giveUp,
      close: () => Promise.resolve(),
    });
  }
  const lock = held(lockOf(config.dataDir));
  const opened = await openThreadedSpool(
    { file, locks: lock === null ? [] : [lock] },
    { mostBytes: config.spoolMaxBytes, longestBody: config.webhooks.maxBodyBytes, onNews: log.onSpoolFile },
    onThreadState,
  );
  if (E.isLeft(opened)) {
    const line = troubleLine(opened.left);
    return opened.left._tag === 'SpoolShared' ? failing(2, `DATA_DIR: ${line}`) : failing(1, line);
  }
  const spool = opened.right;
  const spooling = startSpooling({
    record,
    spool,
    signerOf: signerOf(secrets),
    storeReadiness: store.readiness,
    answerWithinMs: config.eventStore.kind === 'sqlite' ? DISK_WITHIN_MS : config.spoolAfterMs,
    elapsed: () => performance.now(),
    inTime,
    wait,
    random: Math.random,
    now,
    onEvent: log.onSpool,
  });
  return E.right({
    // A repeat takes its turn behind what waits for the store.
    recall: () => null,
    record: spooling.record,
    readiness: spooling.readiness,
    storeReadiness: spooling.storeReadiness,
    spool: spooling.state,
    storeIsBack: spooling.storeIsBack,
    storeIsBroken: spooling.storeIsBroken,
    close: async () => {
      await spooling.close();
      await spool.close();
    },
  });
};

/**
 * Records deliveries over an embedded store at once; over one on another machine with a spool beside it
 * (docs/spec/receiving.md, Replies). A Left says in one line why the spool can't be used.
 */
export const startRecording = async (deps: Deps): Promise<E.Either<CommandFailure, Recording>> =>
  E.map(untilLost)(await startRecorder(deps));
