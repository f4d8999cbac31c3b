import { relative } from 'node:path';

/** Folders of the data directory that the ledger makes: the tree of the log, bank files, and those that are not imported yet. */
export const OWN_FOLDERS: ReadonlySet<string> = new Set(['log-tree', 'statements', 'uploads']);

/** Databases of the data directory, also where another one is configured: what was left there may be all that there is. Locks are some too. */
const OWN_DATABASES = [
  'events.db',
  'read-models.db',
  'spool.db',
  'replay-copy.db',
  'verify-copy.db',
  'ledger.lock',
  'imports.lock',
  'months.lock',
];

const OWN_FILES: ReadonlySet<string> = new Set([
  'webhook-secret',
  'api-key',
  'origin',
  'ledger-id',
  'signing-key',
  'retired-signing-key',
  'log-keys',
  'accepted-losses',
  'accept-loss-request',
  'begun-here',
  'restored-log',
  'witnesses.json',
  'event-store-head.json',
  'arrivals.json',
  'ended-sessions',
  'ledger.sock',
  'ledger.bind',
  'demonstration',
]);

const OF_CHECKPOINTS = /^checkpoints-[0-9a-f]{16}$/;

/** Its write-ahead log, also one that was kept since it was broken, locks, generations of the read models, and what a restoration has set aside. */
const BESIDE_A_DATABASE =
  /^(?:\.g\d+|\.set-aside-[0-9a-f]{8})?(?:-wal(?:\.broken-[\dTtZz.]+)?|-shm|-journal)?$|^\.(?:lock|build-lock)(?:-wal|-shm|-journal)?$/;

/** Whether a file is a database, or stands beside it for SQLite or the ledger. Both are paths as the machine has them. */
export const isOfDatabase = (database: string, file: string): boolean =>
  file.startsWith(database) && BESIDE_A_DATABASE.test(file.slice(database.length));

/**
 * Whether the ledger keeps itself in a file of its data directory, there already or not. Both are paths as the machine has
 * them.
 */
export const isOwnDataFile = (dataDir: string, file: string): boolean => {
  // Some file systems tell no upper case from lower case.
  const [name = '', ...below] = relative(dataDir, file).toLowerCase().split('/');
  if (below.length > 0) return OWN_FOLDERS.has(name);
  if (OWN_DATABASES.some((database) => isOfDatabase(database, name))) return true;
  const kept = name.replace(/\.draft$/, '');
  return OWN_FOLDERS.has(name) || OWN_FILES.has(kept) || OF_CHECKPOINTS.test(kept);
};

/**
 * What the databases that can be configured are called where none is: one may have the name of the other, which is elsewhere then.
 * Events that a restoration has set aside are looked into under the name that they were given.
 */
const MAY_BE_NAMED = /^(?:events\.db|read-models\.db|events\.db\.set-aside-[0-9a-f]{8})$/;

/**
 * What the ledger keeps in its data directory that a database there would have the name of, by itself or by its lock or another
 * file beside it; null: nothing. Both are paths as the machine has them.
 */
export const ownFileMetBy = (dataDir: string, database: string): string | null => {
  const name = relative(dataDir, database).toLowerCase();
  if (MAY_BE_NAMED.test(name)) return null;
  if (isOwnDataFile(dataDir, database)) return name;
  return [...OWN_DATABASES, ...OWN_FILES].find((own) => isOfDatabase(name, own)) ?? null;
};
