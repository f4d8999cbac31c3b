// Where the process starts that looks at files for `doctor` (files-looked-at.ts).
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as E from 'fp-ts/lib/Either.js';
import { ARRIVALS_FILE, readArrivals } from '../../arrivals/arrivals-file.ts';
import { loadConfig, misplacedDatabases, type Config, type LoadedConfig } from '../../config/index.ts';
import type { LogAway } from '../../doctor/examined-log.ts';
import { readSpoolState } from '../../event-store/spool/read-spool-state.ts';
import { storeInUse } from '../../event-store/sqlite/store-in-use.ts';
import type { ReadModelsSeen } from '../../read-models/read-models-seen.ts';
import { inspectReadModels } from '../../read-models/sqlite/inspect-read-models.ts';
import { emptiedStore } from '../emptied-store.ts';
import { ledgerLocation } from '../ledger-location.ts';
import { usedByAnother } from '../read-models-lock.ts';
import { keyById } from '../webhook-keys.ts';
import { examineLog } from './examine-log.ts';
import { includedIn, isToLooker, type FileFound, type FileLook, type FromLooker, type ToLooker } from './file-looks.ts';
import { lastSignedPosition, lookAtKeptLog } from './look-at-checkpoints.ts';
import { databasesOf, lookAtDataDirectory, lookAtDisks } from './look-at-folders.ts';
import { tryToWrite } from './try-to-write.ts';

/** What answers over a network has so long. */
const WITHIN_MS = 7_000;

const readModelsSeen = (config: Config): ReadModelsSeen => {
  const [misplaced] = misplacedDatabases(config, ['READ_MODEL_URL']);
  if (misplaced === undefined) {
    return usedByAnother(config) === null ? inspectReadModels(config.readModel.file) : { _tag: 'OfAnotherLedger' };
  }
  const { problem, cure } = misplaced;
  return { _tag: 'Misplaced', problem, cure };
};

/** A folder that stands where the events should be, in the words in which a start is refused. */
const folderInPlace = (config: Config): LogAway | null => {
  const { eventStore } = config;
  if (eventStore.kind !== 'sqlite' || statSync(eventStore.file, { throwIfNoEntry: false })?.isDirectory() !== true) {
    return null;
  }
  const [misplaced] = misplacedDatabases(config, ['EVENT_STORE_URL']);
  if (misplaced === undefined) return null;
  return { _tag: 'Away', reason: 'FileUnreadable', detail: misplaced.problem, cure: misplaced.cure };
};

/** Events that are gone, in the words in which a start is refused. */
const emptied = async (config: Config): Promise<LogAway | null> => {
  const found = await emptiedStore(config);
  return found === null ? null : { _tag: 'Away', reason: 'FileUnreadable', ...found };
};

type Known = Pick<ToLooker, 'included' | 'signed'>;

const lookAt = async (
  look: FileLook,
  { config, env }: Pick<LoadedConfig, 'config'> & Pick<ToLooker, 'env'>,
  { included, signed }: Known,
): Promise<FileFound> => {
  const { dataDir, eventStore } = config;
  switch (look) {
    case 'Folders':
      return {
        _tag: look,
        dataDirectory: lookAtDataDirectory(
          dataDir,
          databasesOf(config),
          eventStore.kind === 'sqlite' ? eventStore.file : null,
          env,
        ),
        disks: lookAtDisks(config),
        storeInUse: eventStore.kind === 'sqlite' ? storeInUse({ ...eventStore, dataDir }) : null,
        kept: lookAtKeptLog(config),
        arrivals: readArrivals(join(dataDir, ARRIVALS_FILE)),
      };
    case 'Spool':
      return { _tag: look, spool: readSpoolState(join(dataDir, 'spool.db')) };
    case 'ReadModels':
      return { _tag: look, readModels: readModelsSeen(config) };
    case 'Trial':
      return { _tag: look, unwritable: tryToWrite(config) };
    case 'Log':
  }
  return {
    _tag: look,
    log:
      folderInPlace(config) ??
      (await emptied(config)) ??
      (await examineLog(
        ledgerLocation(config),
        included,
        signed,
        WITHIN_MS,
        keyById(() => config.secrets),
      )),
  };
};

/** Resolves once it is under way: what comes next may stand still. */
const say = async (message: FromLooker): Promise<void> => {
  const send = process.send?.bind(process);
  if (send !== undefined)
    await promisify((done: (error: Error | null) => void) => send(message, undefined, {}, done))();
};

const answer = async ({ env, looks, ...given }: ToLooker): Promise<void> => {
  const loaded = loadConfig(env, { generate: false, randomBytes });
  if (E.isLeft(loaded)) return;
  const { config } = loaded.right;
  let known: Known = given;
  for (const look of looks) {
    await say({ _tag: 'Begins', look });
    try {
      const found = await lookAt(look, { config, env }, known);
      if (found._tag === 'Folders') known = { ...known, signed: lastSignedPosition(found.kept) };
      if (found._tag === 'ReadModels') known = { ...known, included: includedIn(found.readModels) };
      await say({ _tag: 'Found', found });
    } catch (error) {
      await say({ _tag: 'Failed', look, detail: error instanceof Error ? error.message : String(error) });
    }
  }
};

process.once('disconnect', () => process.exit());
process.once('message', (message: unknown) => {
  if (isToLooker(message)) void answer(message);
});
