import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { OpenLedger } from '../../cli/command-context.ts';
import { failing, type CommandFailure } from '../../cli/command-failure.ts';
import {
  configErrorLine,
  misplacedDatabases,
  type Config,
  type ConfigError,
  type Environment,
} from '../../config/index.ts';
import { drawnLineKey } from '../../domain/line-key.ts';
import { troubleLine } from '../../domain/trouble.ts';
import { emptyStore } from '../../event-store/empty-store.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { readSpoolState } from '../../event-store/spool/read-spool-state.ts';
import { readCheckpoints } from '../../proofs/files/kept-checkpoints.ts';
import { storeExists } from '../../event-store/sqlite/sqlite-event-store.ts';
import { knownOrders } from '../../read-models/sqlite/known-orders.ts';
import { openedHere, transfersOpenedHere, type StatementFiles } from '../../queries/statements/statement-files.ts';
import { emptiedStore } from '../emptied-store.ts';
import { importTurns } from '../import-turns.ts';
import { keptFiles } from '../kept-files.ts';
import { removeLeftCopies } from '../../threads/local-log.ts';
import { openStoreBeside } from '../../threads/open-store-beside.ts';
import { ledgerLocation } from '../ledger-location.ts';
import { usedByAnother } from '../read-models-lock.ts';
import { takeMonthsOf } from '../take-months.ts';
import { keyById } from '../webhook-keys.ts';
import { commandConfig } from './command-config.ts';
import { isLedgerFolder, noLedger } from './ledger-folder.ts';
import { servingReadiness } from './serving-readiness.ts';

/** How many deliveries wait for the event store, by the spool of the data directory; null where it can't be read. */
const waitingIn = ({ dataDir }: Config): number | null => {
  const state = readSpoolState(join(dataDir, 'spool.db'));
  return E.isRight(state) ? (state.right?.depth ?? 0) : null;
};

const newestNoteOf = ({ dataDir, logIdentity }: Config): string | null =>
  logIdentity === null ? null : (readCheckpoints(dataDir, logIdentity.origin).at(-1)?.note ?? null);

/** A command reads one file, where it runs. */
const statementFilesOf = ({ dataDir }: Config): StatementFiles => ({
  open: (bytes, reading) => async () => {
    const { openStatement } = await import('../../statements/opened-statement.ts');
    return openedHere(await openStatement(bytes, reading));
  },
  openTransfers: (bytes, context) => async () => {
    const { openTransfers } = await import('../../queries/transfers/opened-transfers.ts');
    return transfersOpenedHere(await openTransfers(bytes, context));
  },
  keep: keptFiles(dataDir),
});

/** What is asked of the signed log of a store. */
const signedLogOf = (
  config: Config,
  store: Pick<EventStore, 'head' | 'readAll' | 'readAt'>,
): Pick<OpenLedger, 'checkpoint' | 'signedLog'> => ({
  checkpoint: async (loss) => (await import('./sign-checkpoint.ts')).signCheckpoint(config, store, loss),
  signedLog: async () => (await import('./open-signed-log.ts')).openSignedLog(config, store),
});

/** What commands find before the first start. */
const emptyLedger = (config: Config): OpenLedger => ({
  store: emptyStore,
  secretKey: keyById(() => config.secrets),
  // No event will name the file, and a folder with it alone is no ledger's.
  statementFiles: { ...statementFilesOf(config), keep: () => TE.right(undefined) },
  importTurn: TE.right({ position: null, end: () => undefined }),
  drawLineKey: () => drawnLineKey(randomBytes),
  businessTimeZone: config.businessTimeZone,
  matchDueDays: config.match.dueDays,
  knownOrders: () => [],
  readModels: async () => E.right((await import('./empty-read-models.ts')).emptyReadModels(config.businessTimeZone)),
  verify: async (_onProgress, checkpoint) => (await import('./verify-command.ts')).verifyNothing(config, checkpoint),
  ...signedLogOf(config, emptyStore),
  waiting: () => 0,
  // There are none to close, and a folder with a lock alone is no ledger's.
  takeMonths: () => E.right(() => undefined),
  newestNote: () => null,
  replay: () => Promise.resolve(E.right({ events: 0, orders: 0 })),
});

const misplacedStore = (config: Config): ConfigError | undefined => misplacedDatabases(config, ['EVENT_STORE_URL'])[0];

/**
 * The ledger for a command: its file beside whoever serves it, or an empty log where there has been no start yet. What only
 * some commands do with one is loaded when it is done: all of it would be half of what each of them loads.
 */
export const openLedger = async (env: Environment): Promise<E.Either<CommandFailure, OpenLedger>> => {
  const loaded = commandConfig(env);
  if (E.isLeft(loaded)) return loaded;
  const config = loaded.right;
  const location = ledgerLocation(config);
  removeLeftCopies(location.dataDir);
  const emptied = await emptiedStore(config);
  if (emptied !== null) return failing(1, troubleLine(emptied));
  if (location.kind === 'sqlite' && !storeExists(location)) {
    const misplaced = misplacedStore(config);
    if (misplaced !== undefined) return failing(2, configErrorLine(misplaced));
    return isLedgerFolder(config.dataDir) ? E.right(emptyLedger(config)) : failing(2, noLedger(config.dataDir));
  }
  const opened = await openStoreBeside(location);
  if (E.isLeft(opened)) {
    const misplaced = misplacedStore(config);
    return misplaced === undefined ? failing(1, troubleLine(opened.left)) : failing(2, configErrorLine(misplaced));
  }
  const store = opened.right;
  return E.right({
    store,
    secretKey: keyById(() => config.secrets),
    statementFiles: statementFilesOf(config),
    importTurn: importTurns(config.dataDir, {
      head: store.head,
      readiness: location.kind === 'sqlite' ? servingReadiness(location) : store.readiness,
    }),
    drawLineKey: () => drawnLineKey(randomBytes),
    businessTimeZone: config.businessTimeZone,
    matchDueDays: config.match.dueDays,
    knownOrders: (ids) => (usedByAnother(config) === null ? knownOrders(config.readModel.file, ids) : []),
    readModels: async (onProgress) =>
      (await import('./read-models-of-command.ts')).readModelsOfCommand(config, store, onProgress),
    verify: async (onProgress, checkpoint) =>
      (await import('./verify-command.ts')).verify(config, store, onProgress, checkpoint),
    ...signedLogOf(config, store),
    waiting: () => waitingIn(config),
    takeMonths: takeMonthsOf(config.dataDir),
    newestNote: () => newestNoteOf(config),
    replay: async (onProgress) => (await import('./read-models-of-command.ts')).replay(config, store, onProgress),
  });
};
