import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { ARRIVALS_FILE, readArrivals } from '../../arrivals/arrivals-file.ts';
import type { ArrivalsSeen } from '../../arrivals/arrivals-seen.ts';
import {
  loadConfig,
  misplacedDatabases,
  type Config,
  type Environment,
  type LoadedConfig,
} from '../../config/index.ts';
import { isSilent, silentFiles } from '../../config/silent-files.ts';
import { fileLooks, type FileLooks } from '../../config/watched-file.ts';
import { wrongConfiguration } from '../../doctor/configuration-check.ts';
import type { DoctorCheck } from '../../doctor/doctor-check.ts';
import { doctorChecks, type LedgerFacts } from '../../doctor/doctor-checks.ts';
import { isServing, type ServingState } from '../../doctor/ledger-check.ts';
import { nothingLookedAt, unreadable, withSilentFiles } from '../../doctor/silent-files-check.ts';
import { epochMsOf, type Instant } from '../../domain/instant.ts';
import { readSpoolState } from '../../event-store/spool/read-spool-state.ts';
import type { ReadModelsSeen } from '../../read-models/read-models-seen.ts';
import { storeInUse } from '../../event-store/sqlite/store-in-use.ts';
import { inspectReadModels } from '../../read-models/sqlite/inspect-read-models.ts';
import { ledgerLocation } from '../ledger-location.ts';
import { usedByAnother } from '../read-models-lock.ts';
import { askServingLedger } from './ask-serving-ledger.ts';
import { examineLog } from './examine-log.ts';
import { checkpointsSeen, lastSignedPosition, lookAtKeptLog } from './look-at-checkpoints.ts';
import { logInOnce } from './log-in-once.ts';
import { databasesOf, lookAtDataDirectory, lookAtDisks } from './look-at-folders.ts';

/** What answers over a network has so long; all are asked at once. */
const WITHIN_MS = 7_000;

const readModelsSeen = (config: Config): ReadModelsSeen => {
  const [misplaced] = misplacedDatabases(config, ['READ_MODEL_URL']);
  if (misplaced === undefined) {
    return usedByAnother(config) === null ? inspectReadModels(config.readModel.file) : { _tag: 'OfAnotherLedger' };
  }
  const { problem, cure } = misplaced;
  return { _tag: 'Misplaced', problem, cure };
};

/** A ledger that serves has counted what its file may lack; null: it did not tell. */
const arrivalsOf = (ledger: ServingState, { dataDir }: Pick<Config, 'dataDir'>): ArrivalsSeen | null => {
  if (ledger._tag === 'Told') return ledger.state.arrivals;
  return isServing(ledger) ? null : readArrivals(join(dataDir, ARRIVALS_FILE));
};

const gatherFacts = async ({ config, warnings }: LoadedConfig, now: () => Instant): Promise<LedgerFacts> => {
  const asked = Promise.all([askServingLedger(config), logInOnce(config.upstream, () => epochMsOf(now()), WITHIN_MS)]);
  // Before the log, so that what is recorded in between counts as behind it and not as of another log.
  const readModels = readModelsSeen(config);
  const included = readModels._tag === 'Serving' ? (readModels.checkpoint?.position ?? null) : null;
  const kept = lookAtKeptLog(config);
  const log = await examineLog(ledgerLocation(config), included, lastSignedPosition(kept), WITHIN_MS);
  const [ledger, upstream] = await asked;
  return {
    config,
    warnings,
    dataDirectory: lookAtDataDirectory(
      config.dataDir,
      databasesOf(config),
      config.eventStore.kind === 'sqlite' ? config.eventStore.file : null,
    ),
    ledger,
    log,
    storeInUse:
      config.eventStore.kind === 'sqlite' ? storeInUse({ ...config.eventStore, dataDir: config.dataDir }) : null,
    spool: readSpoolState(join(config.dataDir, 'spool.db')),
    readModels,
    checkpoints: checkpointsSeen(kept, log),
    arrivals: arrivalsOf(ledger, config),
    disks: lookAtDisks(config),
    upstream,
    at: now(),
  };
};

/** What is said of one of them may be for want of the other. */
const PLACES: ReadonlySet<string> = new Set(['EVENT_STORE_URL', 'READ_MODEL_URL']);

const without = (env: Environment, names: ReadonlySet<string>): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !names.has(name)));

/**
 * Looks at all that a ledger of this environment stands on (docs/spec/command-line.md, doctor). It makes and changes
 * nothing. What a file holds whose file system does not answer is left out, and that said of it.
 */
export const diagnose = async (
  env: Environment,
  now: () => Instant,
  looks: Pick<FileLooks, 'reach'> = fileLooks,
): Promise<readonly DoctorCheck[]> => {
  const silent = await silentFiles(env, looks);
  const { variables, arePlacesKnown } = unreadable(silent);
  // Where it is not known where events are, the data directory is read for the variables alone, and may be where the silent file is.
  if (!arePlacesKnown && (await isSilent(env['DATA_DIR'] ?? './data', looks))) return [nothingLookedAt(silent, null)];
  const loaded = loadConfig(without(env, variables), { generate: false, randomBytes });
  if (E.isLeft(loaded)) {
    if (silent.length === 0) return [wrongConfiguration(loaded.left)];
    const isOfPlaces = !arePlacesKnown && PLACES.has(loaded.left.variable);
    return [nothingLookedAt(silent, isOfPlaces ? null : loaded.left)];
  }
  if (!arePlacesKnown) return [nothingLookedAt(silent, null)];
  return withSilentFiles(doctorChecks(await gatherFacts(loaded.right, now)), silent);
};
