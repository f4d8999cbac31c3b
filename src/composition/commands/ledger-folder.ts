import { existsSync, readdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

/** What a ledger keeps beside its events. */
const OWN_FILE = /^(?:webhook-secret|api-key|origin|ledger-id|(?:retired-)?signing-key|ledger\.lock|read-models\.db)$/;

/** What is said of a data directory in which there is no ledger: it is wrong configuration. */
export const noLedger = (dataDir: string): string =>
  `DATA_DIR: there is no ledger in ${resolve(dataDir)}; name the data directory of one (ramp-ledger serve makes a new one)`;

/**
 * Whether a folder without events may be a ledger's: an empty one, or one with files of its own, as before the first
 * start or the first delivery. Any other place was named by mistake.
 */
export const isLedgerFolder = (dataDir: string): boolean => {
  if (!existsSync(dataDir) || !statSync(dataDir).isDirectory()) return false;
  const names = readdirSync(dataDir);
  return names.length === 0 || names.some((name) => OWN_FILE.test(name));
};
