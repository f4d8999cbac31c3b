import { accessSync, closeSync, constants, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { configError, type ConfigError } from './config-error.ts';
import type { Config } from './config.ts';
import { errorCode } from './error-code.ts';
import { isOutside } from './open-to-others.ts';

/** Where a ledger keeps its databases, and its data directory, which the start makes. */
type Places = Pick<Config, 'dataDir' | 'eventStore' | 'readModel'>;

type Texts = readonly [problem: string, cure: string];

type Place = { readonly variable: string; readonly file: string; readonly dataDir: string; readonly ownName: string };

/** What each file of SQLite begins with. */
const MAGIC = Buffer.from('SQLite format 3\0');

/** What nobody but a ledger leaves beside a database: locks, and generations of read models. */
const BESIDE = /^\.(?:lock|build-lock|g\d+)$/;

const mayDo = (path: string, mode: number): boolean => {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
};

const beginning = (file: string): Buffer => {
  const bytes = Buffer.alloc(MAGIC.length);
  const handle = openSync(file, 'r');
  try {
    return bytes.subarray(0, readSync(handle, bytes));
  } finally {
    closeSync(handle);
  }
};

/** Whether a ledger has kept itself in a file before, whatever is in it now: damage is no wrong setting. */
const isOwn = ({ file, dataDir, ownName }: Place): boolean => {
  if (file === join(dataDir, ownName)) return true;
  const name = basename(file);
  return readdirSync(dirname(file)).some((other) => other.startsWith(name) && BESIDE.test(other.slice(name.length)));
};

const problemOfFile = (place: Place): Texts | null => {
  const { file } = place;
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  if (!stats.isFile()) return [`${file} is ${stats.isDirectory() ? 'a folder' : 'no file'}`, 'name a file'];
  if (!mayDo(file, constants.R_OK | constants.W_OK))
    return [`${file} can't be read and written by this user`, 'name a file that can be'];
  if (stats.size === 0 || beginning(file).equals(MAGIC) || isOwn(place)) return null;
  return [`${file} is no database of SQLite`, "name a file that is a ledger's, or that is not there yet"];
};

/** What is wrong with the place that a variable names; null: a database is there, or can be made. */
const problemOf = (place: Place): Texts | null => {
  const { file, dataDir } = place;
  const folder = dirname(file);
  // What is wrong with the data directory itself is said of DATA_DIR.
  if (folder === dataDir) return problemOfFile(place);
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) {
    // What is above the data directory is made with it.
    return isOutside(folder, dataDir)
      ? [`the folder of ${file} is not there`, 'make the folder, or name a file in one that is there']
      : null;
  }
  if (!stats.isDirectory()) return [`${folder} is no folder`, 'name a file in a folder'];
  if (!mayDo(folder, constants.W_OK | constants.X_OK))
    return [`${folder} can't be written to by this user`, 'name a file in a folder that can be'];
  return problemOfFile(place);
};

/**
 * The databases that can't be where the configuration has them (docs/spec/configuration.md, Stores): a wrong setting, which a
 * start refuses, other than a file of the ledger's own that is damaged. Nothing is made or changed.
 */
export const misplacedDatabases = ({ dataDir, eventStore, readModel }: Places): readonly ConfigError[] => {
  const places: readonly Place[] = [
    ...(eventStore.kind === 'sqlite'
      ? [{ variable: 'EVENT_STORE_URL', file: eventStore.file, dataDir, ownName: 'events.db' }]
      : []),
    { variable: 'READ_MODEL_URL', file: readModel.file, dataDir, ownName: 'read-models.db' },
  ];
  return places.flatMap((place) => {
    try {
      const problem = problemOf(place);
      return problem === null ? [] : [configError(place.variable, ...problem)];
    } catch (error) {
      const problem = `${place.file} can't be looked at (${errorCode(error)})`;
      return [configError(place.variable, problem, 'name a file that this user can reach')];
    }
  });
};
