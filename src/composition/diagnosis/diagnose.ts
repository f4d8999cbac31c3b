import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { either as E } from 'fp-ts';
import { wrong, type DoctorCheck } from '../../cli/doctor-check.ts';
import { loadConfig, type Environment, type LoadedConfig } from '../../config/index.ts';
import { epochMsOf, type Instant } from '../../domain/instant.ts';
import { readSpoolState } from '../../event-store/spool/read-spool-state.ts';
import { inspectReadModels, type ReadModelsSeen } from '../../read-models/sqlite/inspect-read-models.ts';
import { clockCheck } from './diagnose-clock.ts';
import { configurationCheck, wrongConfiguration } from './diagnose-configuration.ts';
import { dataDirectoryCheck } from './diagnose-data-directory.ts';
import { diskCheck, systemDisk } from './diagnose-disk.ts';
import { eventStoreCheck } from './diagnose-event-store.ts';
import { ledgerCheck, servingState } from './diagnose-ledger.ts';
import { readModelsCheck } from './diagnose-read-models.ts';
import { apiKeysCheck, webhookSecretsCheck } from './diagnose-secrets.ts';
import { setAsideCheck, spoolCheck } from './diagnose-spool.ts';
import { upstreamSeen } from './diagnose-upstream.ts';
import { examineLog } from './examined-log.ts';
import { ledgerLocation } from '../ledger-location.ts';

/** What answers over a network has so long; all are asked at once. */
const WITHIN_MS = 7_000;

/** A check that fails where the machine does, at a disk that gives errors say, says so in place of its finding. */
const guarded = (name: string, check: () => DoctorCheck): DoctorCheck => {
  try {
    return check();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return wrong(
      name,
      `it could not be looked at (${code})`,
      'see that this user can read the folder that DATA_DIR names',
    );
  }
};

const checkpointOf = (seen: ReadModelsSeen) => (seen._tag === 'Serving' ? seen.checkpoint : null);

const diagnoseConfigured = async (loaded: LoadedConfig, now: () => Instant): Promise<readonly DoctorCheck[]> => {
  const { config } = loaded;
  const { dataDir, host, secrets, spoolMaxBytes: mostBytes, businessTimeZone: timeZone } = config;
  const asked = Promise.all([servingState(config), upstreamSeen(config.upstream, () => epochMsOf(now()), WITHIN_MS)]);
  // Before the log, so that what is recorded in between counts as behind it and not as of another log.
  const readModels = inspectReadModels(config.readModel.file);
  const log = await examineLog(ledgerLocation(config), checkpointOf(readModels)?.position ?? null, WITHIN_MS);
  const [state, upstream] = await asked;
  const at = now();
  const serves = E.isRight(state) && state.right.serves;
  const contents = readSpoolState(join(dataDir, 'spool.db'));
  const spool = { contents, mostBytes, serves, storeAway: log._tag === 'Away' };
  return [
    configurationCheck(loaded),
    guarded('data directory', () => dataDirectoryCheck(dataDir)),
    ledgerCheck(state),
    eventStoreCheck(config.eventStore, log, readModels),
    spoolCheck(spool, at),
    setAsideCheck(spool),
    readModelsCheck(readModels, { log, timeZone, serves, now: at }),
    webhookSecretsCheck({ host, secrets }, log, at),
    apiKeysCheck(host, secrets),
    clockCheck(at, log, upstream.time),
    guarded('disk', () => diskCheck(config, systemDisk)),
    upstream.check,
  ];
};

/**
 * Looks at all that a ledger of this environment stands on (docs/spec/command-line.md, doctor). It makes and changes
 * nothing.
 */
export const diagnose = async (env: Environment, now: () => Instant): Promise<readonly DoctorCheck[]> => {
  const loaded = loadConfig(env, { generate: false, randomBytes });
  return E.isLeft(loaded) ? [wrongConfiguration(loaded.left)] : diagnoseConfigured(loaded.right, now);
};
