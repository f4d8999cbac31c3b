import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux keeps what is below it in memory. */
const IN_MEMORY = '/dev/shm';

/** Of bytes; containers have 64 MiB there by default, which a few tests at once would fill. */
const ROOM = 2 ** 30;

type Folder = { readonly path: string; readonly remove: () => void };

const hasRoom = (path: string): boolean => {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize >= ROOM;
  } catch {
    return false;
  }
};

// A ledger waits for the disk before it acknowledges, thousands of times in a run of the tests. No test takes the
// power away, and what a killed process wrote is as safe in memory. Who has named a folder in TMPDIR has chosen.
const fastest = process.env['TMPDIR'] === undefined && hasRoom(IN_MEMORY) ? IN_MEMORY : tmpdir();

const folderBelow = (parent: string): Folder => {
  const path = mkdtempSync(join(parent, 'ramp-ledger-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
};

/** A folder of its own for a test, and how to take it away. It is in memory where there is room: no program may run from it. */
export const temporaryFolder = (): Folder => folderBelow(fastest);

/** Such a folder where temporary files of this machine are: for programs that a test runs from it, and for times that are measured. */
export const folderOnDisk = (): Folder => folderBelow(tmpdir());
