import { randomBytes } from 'node:crypto';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { writingTrouble } from '../../cli/file-trouble.ts';
import {
  filesNamed,
  isOfDatabase,
  isOwnDataFile,
  loadConfig,
  OWN_FOLDERS,
  type Config,
  type Environment,
} from '../../config/index.ts';
import { bySameFolders } from './same-folders.ts';

/** A path as the machine has it; of a file itself its name is kept, since a file that is put there takes the place of a link. */
const placeOf = (file: string): string => {
  const folder = dirname(resolve(file));
  return join(existsSync(folder) ? realpathSync(folder) : folder, basename(file));
};

/** The same, and where a link leads to: databases and secrets are used there. */
const placesOf = (file: string): readonly string[] => [
  placeOf(file),
  ...(existsSync(file) ? [realpathSync(file)] : []),
];

/** The files that variables name, secrets say, and certificates. */
const namedFiles = (env: Environment): readonly string[] => [
  ...Object.entries(env).flatMap(([variable, file = '']) => (variable.endsWith('_FILE') && file !== '' ? [file] : [])),
  ...filesNamed(env).map(({ path }) => path),
];

/** Whether the ledger lives by a file, there already or not; what an export or a backup left in the data directory it does not. */
const isLedgers = (env: Environment, { dataDir, eventStore, readModel }: Config, place: string): boolean => {
  const configured = [...(eventStore.kind === 'sqlite' ? [eventStore.file] : []), readModel.file];
  const [databases, named] = [configured.flatMap(placesOf), namedFiles(env).flatMap(placesOf)];
  const data = existsSync(dataDir) ? realpathSync(dataDir) : null;
  const own = data === null ? [] : [data, ...[...OWN_FOLDERS].map((name) => join(data, name))];
  return [place, ...bySameFolders(place, [...own, ...[...databases, ...named].map(dirname)])].some(
    (path) =>
      databases.some((database) => isOfDatabase(database, path)) ||
      named.includes(path) ||
      (data !== null && isOwnDataFile(data, path)),
  );
};

/** Why nothing may be written in the place of what is at a path; null: it may. */
export const outFaultIn = (env: Environment, config: Config, file: string): string | null => {
  try {
    const there = statSync(file, { throwIfNoEntry: false });
    if (there !== undefined && !there.isFile()) return `${file} is there, and is no file`;
    return isLedgers(env, config, placeOf(file)) ? `${file} is the ledger's own: name another file` : null;
  } catch (error) {
    return `${file} can't be written (${writingTrouble(error)})`;
  }
};

/** The same for a command that has read no configuration; one that is wrong is the business of who reads it. */
export const outFault = (env: Environment, file: string): string | null => {
  const loaded = loadConfig(env, { generate: false, randomBytes });
  return E.isLeft(loaded) ? null : outFaultIn(env, loaded.right.config, file);
};
