import { randomBytes } from 'node:crypto';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { loadConfig, type Config, type Environment } from '../../config/index.ts';

/** A path as the machine has it; of a file itself its name is kept, since a file that is put there takes the place of a link. */
const placeOf = (file: string): string => {
  const folder = dirname(resolve(file));
  return join(existsSync(folder) ? realpathSync(folder) : folder, basename(file));
};

/** A database and what SQLite and the ledger put beside it. */
const isOfDatabase = (database: string, place: string): boolean => {
  const own = placeOf(database);
  return place === own || ['-wal', '-shm', '-journal', '.lock', '.lock-journal'].some((end) => place === own + end);
};

const isInside = (folder: string, place: string): boolean => {
  if (!existsSync(folder)) return false;
  const path = relative(realpathSync(folder), place);
  return path !== '' && path !== '..' && !path.startsWith('../');
};

/** Whether a file is what the ledger lives by; what an export or a backup left there before, its manifest beside it, is not. */
const isLedgers = ({ dataDir, eventStore, readModel }: Config, place: string): boolean => {
  const databases = [...(eventStore.kind === 'sqlite' ? [eventStore.file] : []), readModel.file];
  if (databases.some((database) => isOfDatabase(database, place))) return true;
  return isInside(dataDir, place) && existsSync(place) && !existsSync(`${place}.manifest.json`);
};

/** Why nothing may be written in the place of what is at a path; null: it may. */
export const outFaultIn = (config: Config, file: string): string | null => {
  const there = statSync(file, { throwIfNoEntry: false });
  if (there !== undefined && !there.isFile()) return `${file} is there, and is no file`;
  return isLedgers(config, placeOf(file))
    ? `${file} is the ledger's own: name a file outside of its data directory`
    : null;
};

/** The same for a command that has read no configuration; one that is wrong is the business of who reads it. */
export const outFault = (env: Environment, file: string): string | null => {
  const loaded = loadConfig(env, { generate: false, randomBytes });
  return E.isLeft(loaded) ? null : outFaultIn(loaded.right.config, file);
};
