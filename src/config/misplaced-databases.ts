import { accessSync, closeSync, constants, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { EVENTS_ALONE, readModelsAlone, secondName } from '../event-store/second-name.ts';
import { configError, type ConfigError } from './config-error.ts';
import type { Config } from './config.ts';
import { errorCode } from './error-code.ts';
import { isOutside } from './open-to-others.ts';

/** Where a ledger keeps its databases, and its data directory, which the start makes. */
type Places = Pick<Config, 'dataDir' | 'eventStore' | 'readModel'>;

/**
 * A database that can't be where a variable has it. `mayPass`: for a reason that the next start may not find, a disk that can't
 * be written to now or too many open files, so that the variable may well be right.
 */
export type MisplacedDatabase = ConfigError & { readonly mayPass: boolean };

type Fault = { readonly texts: readonly [problem: string, cure: string]; readonly mayPass: boolean };

type Place = {
  readonly variable: DatabaseVariable;
  readonly file: string;
  readonly dataDir: string;
  readonly ownName: string;
  /** What to do where it has another name too. */
  readonly alone: string;
};

/** What each file of SQLite begins with. */
const MAGIC = Buffer.from('SQLite format 3\0');

/** What nobody but a ledger leaves beside a database: locks, and generations of read models. */
const BESIDE = /^\.(?:lock|build-lock|g\d+)$/;
const GENERATION = /^\.g\d+$/;

/** What the system says of a path that is wrong, or not this user's, and goes on saying until somebody changes it. */
const LASTING = new Set([
  'ENOENT',
  'ENOTDIR',
  'EISDIR',
  'EACCES',
  'EPERM',
  'ELOOP',
  'ENAMETOOLONG',
  'EINVAL',
  'ERR_INVALID_ARG_VALUE',
]);

const lasting = (problem: string, cure: string): Fault => ({ texts: [problem, cure], mayPass: false });

/** Why nobody may do something to a path, by the code of the system; null: this user may. */
const refusal = (path: string, mode: number): string | null => {
  try {
    accessSync(path, mode);
    return null;
  } catch (error) {
    return errorCode(error);
  }
};

const refused = (code: string, what: string, cure: string): Fault =>
  LASTING.has(code)
    ? lasting(`${what} by this user`, cure)
    : { texts: [`${what} now (${code})`, `mend that, or ${cure}`], mayPass: true };

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

/** The registry of read models tells of generations beside it, which a copy that is made of links has in common too. */
const problemOfNames = ({ file, alone }: Place): Fault | null => {
  const name = basename(file);
  const generations = readdirSync(dirname(file)).filter(
    (other) => other.startsWith(name) && GENERATION.test(other.slice(name.length)),
  );
  for (const one of [file, ...generations.map((other) => join(dirname(file), other))]) {
    const second = secondName(one, alone);
    if (second !== null) return lasting(second.detail, second.cure);
  }
  return null;
};

const problemOfFile = (place: Place): Fault | null => {
  const { file } = place;
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  if (!stats.isFile()) return lasting(`${file} is ${stats.isDirectory() ? 'a folder' : 'no file'}`, 'name a file');
  const code = refusal(file, constants.R_OK | constants.W_OK);
  if (code !== null) return refused(code, `${file} can't be read and written`, 'name a file that can be');
  if (stats.size === 0 || beginning(file).equals(MAGIC) || isOwn(place)) return problemOfNames(place);
  return lasting(`${file} is no database of SQLite`, "name a file that is a ledger's, or that is not there yet");
};

/** What is wrong with the place that a variable names; null: a database is there, or can be made. */
const problemOf = (place: Place): Fault | null => {
  const { file, dataDir } = place;
  const folder = dirname(file);
  // What is wrong with the data directory itself is said of DATA_DIR.
  if (folder === dataDir) return problemOfFile(place);
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) {
    // What is above the data directory is made with it.
    return isOutside(folder, dataDir)
      ? lasting(`the folder of ${file} is not there`, 'make the folder, or name a file in one that is there')
      : null;
  }
  if (!stats.isDirectory()) return lasting(`${folder} is no folder`, 'name a file in a folder');
  const code = refusal(folder, constants.W_OK | constants.X_OK);
  if (code !== null) return refused(code, `${folder} can't be written to`, 'name a file in a folder that can be');
  return problemOfFile(place);
};

/** The variables that have places of databases. */
const DATABASE_VARIABLES = ['EVENT_STORE_URL', 'READ_MODEL_URL'] as const;

type DatabaseVariable = (typeof DATABASE_VARIABLES)[number];

/**
 * The databases that can't be where the configuration has them (docs/spec/configuration.md, Stores): a wrong setting, which a
 * start refuses, other than a file of the ledger's own that is damaged, or what may pass. Nothing is made or changed.
 *
 * @param variables those that are asked about: no other file is opened. Who closes a file lets go of all locks that the process has
 * on it, also those of SQLite, so that nothing that is open already is to be looked at
 */
export const misplacedDatabases = (
  { dataDir, eventStore, readModel }: Places,
  variables: readonly DatabaseVariable[] = DATABASE_VARIABLES,
): readonly MisplacedDatabase[] => {
  const events: readonly Place[] =
    eventStore.kind === 'sqlite'
      ? [{ variable: 'EVENT_STORE_URL', file: eventStore.file, dataDir, ownName: 'events.db', alone: EVENTS_ALONE }]
      : [];
  const models: Place = {
    variable: 'READ_MODEL_URL',
    file: readModel.file,
    dataDir,
    ownName: 'read-models.db',
    alone: readModelsAlone(readModel.file),
  };
  const places = [...events, models].filter(({ variable }) => variables.includes(variable));
  return places.flatMap((place) => {
    try {
      const fault = problemOf(place);
      return fault === null ? [] : [{ ...configError(place.variable, ...fault.texts), mayPass: fault.mayPass }];
    } catch (error) {
      const code = errorCode(error);
      const problem = `${place.file} can't be looked at (${code})`;
      const wrong = configError(place.variable, problem, 'name a file that this user can reach');
      return [{ ...wrong, mayPass: !LASTING.has(code) }];
    }
  });
};
