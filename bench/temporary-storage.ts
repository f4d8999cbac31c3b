import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Where data directories lie. In memory it costs nothing to be durable, so such figures say nothing of a disk. */
export type Storage = 'disk' | 'memory';

/** TMPFS_MAGIC of statfs(2). */
const TMPFS = 0x01021994;

/** What the temporary directory is on. */
export const temporaryStorage = (): Storage => (statfsSync(tmpdir()).type === TMPFS ? 'memory' : 'disk');

/** What a benchmark warns of where they are in memory. */
export const storageWarning = (storage: Storage): readonly string[] =>
  storage === 'memory' ? ['The temporary directory is in memory: set TMPDIR to a folder on a disk.'] : [];
