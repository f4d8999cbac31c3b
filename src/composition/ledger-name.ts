import { createHash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import type { Config } from '../config/index.ts';
import { eachNode } from '../event-store/eventstoredb/each-node.ts';
import { lockOf } from '../event-store/sqlite/sqlite-event-store.ts';
import type { LedgerName } from '../read-models/sqlite/ledger-names.ts';

type Places = Pick<Config, 'dataDir' | 'eventStore'>;

/** Where a server listens that is named without a port. */
const USUAL_PORT = 2113;

/**
 * How the ledger of a data directory is known, under whatever path that is reached: by the file of its lock, and when it was
 * made. Null where no ledger has served from there.
 */
const ledgerOf = (dataDir: string): string | null => {
  try {
    const lock = statSync(lockOf(dataDir), { bigint: true, throwIfNoEntry: false });
    return lock === undefined ? null : `${lock.ino}.${lock.birthtimeNs}`;
  } catch {
    return null;
  }
};

const realPath = (file: string): string => {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
};

/** The servers of a connection string, in whatever order: no user, no password, no option. */
const serversIn = (url: string): readonly string[] => {
  const servers = eachNode(url).map(({ host }) => (host.includes(':') ? host : `${host}:${USUAL_PORT}`).toLowerCase());
  return [...new Set(servers)].toSorted();
};

const partsOf = (eventStore: Config['eventStore']): readonly unknown[] =>
  eventStore.kind === 'sqlite'
    ? [eventStore.kind, realPath(eventStore.file)]
    : [eventStore.kind, serversIn(eventStore.url), eventStore.streamPrefix];

/** A digest of what names a log: its kind, and its file, or its servers and the prefix of its streams. */
const logOf = (eventStore: Config['eventStore']): string =>
  createHash('sha256')
    .update(JSON.stringify(partsOf(eventStore)))
    .digest('hex');

/** The name of a configured ledger, as it leaves it in a file of read models; `ledger` is null where none has served yet. */
export const ledgerPartsOf = ({
  dataDir,
  eventStore,
}: Places): Omit<LedgerName, 'ledger'> & { ledger: string | null } => ({
  ledger: ledgerOf(dataDir),
  log: logOf(eventStore),
});

/** The whole name of a configured ledger; null where none has served from its data directory yet. */
export const ledgerNameOf = (places: Places): LedgerName | null => {
  const { ledger, log } = ledgerPartsOf(places);
  return ledger === null ? null : { ledger, log };
};
