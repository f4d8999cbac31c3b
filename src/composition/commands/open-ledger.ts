import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { existsSync, readdirSync, statSync } from 'node:fs';
import * as E from 'fp-ts/lib/Either.js';
import type { VerifyReport } from '../../cli/verify-report.ts';
import type { OpenLedger } from '../../cli/command-context.ts';
import { failing, type CommandFailure } from '../../cli/command-failure.ts';
import { boundHeaps } from '../../concurrency/bounded-heaps.ts';
import { wait } from '../../concurrency/wait.ts';
import { configErrorLine, loadConfig, type Config, type Environment } from '../../config/index.ts';
import { troubleLine } from '../../domain/trouble.ts';
import { emptyStore } from '../../event-store/empty-store.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { readSpoolState } from '../../event-store/spool/read-spool-state.ts';
import { readCheckpoints } from '../../proofs/files/kept-checkpoints.ts';
import { storeExists } from '../../event-store/sqlite/sqlite-event-store.ts';
import type { Built, OnBuildProgress } from '../../read-models/build-progress.ts';
import { knownOrders } from '../../read-models/sqlite/known-orders.ts';
import { withPast } from '../../read-models/past-read-models.ts';
import { areOfThisLog } from '../../read-models/of-this-log.ts';
import { catchUp, type RunnerEvents } from '../../read-models/runner.ts';
import type { Snapshot } from '../../read-models/snapshot.ts';
import { PastStates } from '../../read-models/touched-orders.ts';
import { directReadModels } from '../../read-models/sqlite/direct-read-models.ts';
import type { Generations } from '../../read-models/sqlite/generations.ts';
import { rebuild, type RebuildFailure } from '../../read-models/sqlite/rebuild.ts';
import {
  emptyQueries,
  openGenerations,
  openSnapshot,
  openTarget,
} from '../../read-models/sqlite/sqlite-projections.ts';
import { openedHere, transfersOpenedHere, type StatementFiles } from '../../queries/statements/statement-files.ts';
import { openTransfers } from '../../queries/transfers/opened-transfers.ts';
import { openStatement } from '../../statements/opened-statement.ts';
import { keptFiles } from '../kept-files.ts';
import { copyingShare, localLog, removeLeftCopies } from '../../threads/local-log.ts';
import { openStoreBeside } from '../../threads/open-store-beside.ts';
import { verifyLedger } from '../../threads/verify-ledger.ts';
import { buildTasks } from '../../threads/build-tasks.ts';
import { ledgerLocation } from '../ledger-location.ts';
import { keyById, keysForThread } from '../webhook-keys.ts';
import { openSignedLog } from './open-signed-log.ts';
import { signCheckpoint } from './sign-checkpoint.ts';
import { checkpointsToHold, holdLog } from './verify-log.ts';

type Failable<A> = Promise<E.Either<CommandFailure, A>>;

/** How often a command looks whether the build of another process is done. */
const LOOK_EVERY_MS = 200;
/** A command's threads are a person's who waits, but deliveries still come first. */
const PRIORITY = 5;

const QUIET: RunnerEvents = { onApplied: () => undefined, onUnreadable: () => undefined };

const lineOf = (failed: RebuildFailure): string =>
  failed._tag === 'BuildUnderWay' ? 'another replay is under way; wait for it' : failed.detail;

const built = (
  config: Config,
  store: EventStore,
  generations: Generations,
  onProgress: OnBuildProgress,
): Promise<E.Either<RebuildFailure, Built>> => {
  boundHeaps();
  return rebuild({
    store,
    generations,
    timeZone: config.businessTimeZone,
    matchSettings: config.match.settings,
    tasksUpTo: buildTasks(store, { location: ledgerLocation(config), timeZone: config.businessTimeZone }, PRIORITY),
    onProgress,
  });
};

/** Brings what serves up to the head of now; it is built where there is none, by whoever is first. */
const current = async (
  config: Config,
  store: EventStore,
  generations: Generations,
  onProgress: OnBuildProgress,
): Failable<void> => {
  for (;;) {
    const target = openTarget(generations, config.businessTimeZone, config.match.settings);
    if (target !== null) {
      try {
        const areOf = await areOfThisLog(store, target.checkpoint())();
        if (E.isLeft(areOf)) return failing(1, areOf.left.detail);
        if (!areOf.right) {
          generations.serveNone();
          continue;
        }
        const head = await store.head()();
        const caughtUp = E.isLeft(head) ? head : await catchUp(store, target, head.right, QUIET);
        return E.isLeft(caughtUp) ? failing(1, caughtUp.left.detail) : E.right(undefined);
      } finally {
        target.close();
      }
    }
    const made = await built(config, store, generations, onProgress);
    if (E.isLeft(made)) {
      if (made.left._tag !== 'BuildUnderWay') return failing(1, lineOf(made.left));
      await wait(LOOK_EVERY_MS);
    }
  }
};

const readModels = async (config: Config, store: EventStore, onProgress: OnBuildProgress): Failable<Snapshot> => {
  const generations = openGenerations(config.readModel.file);
  if (E.isLeft(generations)) return failing(1, generations.left.detail);
  const brought = await current(config, store, generations.right, onProgress);
  // One state of them for all that a command asks, also where a ledger that serves goes on beside it.
  const snapshot = E.isRight(brought) ? openSnapshot(generations.right, () => generations.right.close()) : null;
  if (E.isRight(brought) && snapshot !== null) return E.right(withPast(snapshot, new PastStates(store)));
  generations.right.close();
  return E.isLeft(brought) ? brought : failing(1, 'the read models were replaced; ask again');
};

const replay = async (config: Config, store: EventStore, onProgress: OnBuildProgress): Failable<Built> => {
  const generations = openGenerations(config.readModel.file);
  if (E.isLeft(generations)) return failing(1, generations.left.detail);
  try {
    return E.mapLeft((failed: RebuildFailure): CommandFailure => ({ status: 1, line: lineOf(failed) }))(
      await built(config, store, generations.right, onProgress),
    );
  } finally {
    generations.right.close();
  }
};

/** What a ledger keeps beside its events. */
const OWN_FILE = /^(?:webhook-secret|api-key|origin|(?:retired-)?signing-key|ledger\.lock|read-models\.db)$/;

const NOTHING: VerifyReport = { events: 0, orders: 0, failures: [], unknownSecrets: 0 };

const unreadable = (detail: string): E.Either<CommandFailure, never> =>
  failing(1, `the event store can't be read: ${detail}`);

/** What there is to say of a log without events: it may have had some. */
const verifyNothing = async (config: Config, checkpoint: string | null): Failable<VerifyReport> => {
  const toHold = checkpointsToHold(config, checkpoint);
  if (E.isLeft(toHold)) return toHold;
  const held = await holdLog(null, null, toHold.right);
  return E.isLeft(held) ? unreadable(held.left) : E.right({ ...NOTHING, failures: held.right });
};

const verify = async (
  config: Config,
  store: EventStore,
  onProgress: OnBuildProgress,
  checkpoint: string | null,
): Failable<VerifyReport> => {
  const toHold = checkpointsToHold(config, checkpoint);
  if (E.isLeft(toHold)) return toHold;
  const head = await store.head()();
  if (E.isLeft(head)) return unreadable(head.left.detail);
  if (head.right === null) return verifyNothing(config, checkpoint);
  const options = {
    readModelFile: config.readModel.file,
    upTo: head.right,
    secrets: keysForThread(config.secrets),
  };
  const location = ledgerLocation(config);
  const before = copyingShare(location);
  const local = await localLog(store, location, 'verify', head.right, (share, events) =>
    onProgress(share * before, events),
  );
  if (E.isLeft(local)) return unreadable(local.left.detail);
  const { log, location: at, close } = local.right;
  try {
    const report = await verifyLedger(log, store, { ...options, location: at }, (share, events) =>
      onProgress(before + share * (1 - before), events),
    );
    if (E.isLeft(report)) return unreadable(report.left);
    const held = await holdLog(log, head.right, toHold.right);
    if (E.isLeft(held)) return unreadable(held.left);
    return E.right({ ...report.right, failures: [...report.right.failures, ...held.right] });
  } finally {
    await close();
  }
};

/** How many deliveries wait for the event store, by the spool of the data directory. */
const waitingIn = ({ dataDir }: Config): number => {
  const state = readSpoolState(join(dataDir, 'spool.db'));
  return E.isRight(state) ? (state.right?.depth ?? 0) : 0;
};

const newestNoteOf = ({ dataDir, logIdentity }: Config): string | null =>
  logIdentity === null ? null : (readCheckpoints(dataDir, logIdentity.origin).at(-1)?.note ?? null);
/** A command reads one file, where it runs. */
const statementFilesOf = ({ dataDir }: Config): StatementFiles => ({
  open: (bytes, reading) => async () => openedHere(await openStatement(bytes, reading)),
  openTransfers: (bytes, context) => async () => transfersOpenedHere(await openTransfers(bytes, context)),
  keep: keptFiles(dataDir),
});

/** What commands find before the first start. */
const emptyLedger = (config: Config): OpenLedger => ({
  store: emptyStore,
  secretKey: keyById(() => config.secrets),
  statementFiles: statementFilesOf(config),
  businessTimeZone: config.businessTimeZone,
  matchDueDays: config.match.dueDays,
  knownOrders: () => [],
  readModels: () => {
    const { queries, close } = emptyQueries(config.businessTimeZone);
    return Promise.resolve(E.right(withPast(directReadModels(queries, close), new PastStates(emptyStore))));
  },
  verify: (_onProgress, checkpoint) => verifyNothing(config, checkpoint),
  checkpoint: (loss) => signCheckpoint(config, emptyStore, loss),
  waiting: () => 0,
  newestNote: () => null,
  signedLog: () => openSignedLog(config, emptyStore),
  replay: () => Promise.resolve(E.right({ events: 0, orders: 0 })),
});

const noLedger = (dataDir: string): string =>
  `DATA_DIR: there is no ledger in ${resolve(dataDir)}; name the data directory of one (ramp-ledger serve makes a new one)`;

/**
 * Whether a folder without events may be a ledger's: an empty one, or one with files of its own, as before the first
 * start or the first delivery. Any other place was named by mistake.
 */
const isLedgerFolder = (dataDir: string): boolean => {
  if (!existsSync(dataDir) || !statSync(dataDir).isDirectory()) return false;
  const names = readdirSync(dataDir);
  return names.length === 0 || names.some((name) => OWN_FILE.test(name));
};

/** The ledger for a command: its file beside whoever serves it, or an empty log where there has been no start yet. */
export const openLedger = async (env: Environment): Promise<E.Either<CommandFailure, OpenLedger>> => {
  const loaded = loadConfig(env, { generate: false, randomBytes });
  if (E.isLeft(loaded)) return failing(2, configErrorLine(loaded.left));
  const { config } = loaded.right;
  const location = ledgerLocation(config);
  removeLeftCopies(location.dataDir);
  if (location.kind === 'sqlite' && !storeExists(location)) {
    return isLedgerFolder(config.dataDir) ? E.right(emptyLedger(config)) : failing(2, noLedger(config.dataDir));
  }
  const opened = await openStoreBeside(location);
  if (E.isLeft(opened)) return failing(1, troubleLine(opened.left));
  const store = opened.right;
  return E.right({
    store,
    secretKey: keyById(() => config.secrets),
    statementFiles: statementFilesOf(config),
    businessTimeZone: config.businessTimeZone,
    matchDueDays: config.match.dueDays,
    knownOrders: (ids) => knownOrders(config.readModel.file, ids),
    readModels: (onProgress) => readModels(config, store, onProgress),
    verify: (onProgress, checkpoint) => verify(config, store, onProgress, checkpoint),
    checkpoint: (loss) => signCheckpoint(config, store, loss),
    waiting: () => waitingIn(config),
    newestNote: () => newestNoteOf(config),
    signedLog: () => openSignedLog(config, store),
    replay: (onProgress) => replay(config, store, onProgress),
  });
};
