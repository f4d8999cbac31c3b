import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { durably } from './durably.ts';
import { keepsAllSigned } from './keeps-all-signed.ts';

const fileOf = (dataDir: string): string => join(dataDir, 'restored-log');

/** Of checkpoints that can't be read nobody knows what they reach to. */
const isAllKept = (dataDir: string, events: number): boolean => {
  try {
    return keepsAllSigned(dataDir, events);
  } catch {
    return false;
  }
};

/**
 * Notes that a backup of so many events takes the place of the log, unless the data directory shows that it has whatever was
 * signed behind it. Durable when this returns. Throws where the disk fails.
 *
 * @returns whether it was noted
 */
export const noteRestored = (dataDir: string, events: number): boolean => {
  if (isAllKept(dataDir, events)) return false;
  const draft = `${fileOf(dataDir)}.draft`;
  durably(draft, 'w', (handle) => writeFileSync(handle, `${events}\n`));
  renameSync(draft, fileOf(dataDir));
  durably(dataDir, 'r', () => undefined);
  return true;
};

/** Whether a backup took the place of the log, and more may have been signed than is kept here. */
export const isRestored = (dataDir: string): boolean => existsSync(fileOf(dataDir));

/** Forgets it: the log goes on under a name that nothing was signed under, or nothing took the log's place. */
export const endRestored = (dataDir: string): void => rmSync(fileOf(dataDir), { force: true });
