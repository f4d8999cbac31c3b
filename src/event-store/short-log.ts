import { realpathSync, statSync } from 'node:fs';
import type Database from 'better-sqlite3';

/** Of a write-ahead log, and of each page in it (the SQLite documentation, WAL-mode File Format). */
const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/** As SQLite counts: pages in the log, and how many of them are in the file too. */
type Frames = { readonly busy: number; readonly log: number; readonly checkpointed: number };

/**
 * Looks at the write-ahead log of an open database, for what SQLite has in it. A log that is cut or emptied without a word to
 * SQLite is missed by nobody before the next commit: SQLite finds its frames by an index in memory, and looks at no size.
 */
export class ShortLog {
  readonly #frames: Database.Statement<[], Frames>;
  readonly #file: string;
  readonly #frameBytes: number;

  constructor(database: Database.Database) {
    // It counts, and does nothing else, in some twenty microseconds.
    this.#frames = database.prepare('PRAGMA wal_checkpoint(NOOP)');
    this.#file = `${realpathSync(database.name)}-wal`;
    this.#frameBytes = Number(database.pragma('page_size', { simple: true })) + FRAME_HEADER_BYTES;
  }

  /**
   * Outside of a transaction only.
   *
   * @returns why nothing may be acknowledged any more: what was in the log alone is not there. Null where nothing is missing, or it can't
   * be looked at now
   */
  damage(): string | null {
    // Another program may take the log into the file and empty it between count and size: what is wrong is so at a second look, too.
    return this.#isShort() && this.#isShort() ? `${this.#file} was overwritten or cut while it was in use` : null;
  }

  #isShort(): boolean {
    try {
      const frames = this.#frames.get();
      if (frames === undefined || frames.log <= frames.checkpointed) return false;
      const { size } = statSync(this.#file);
      return size < HEADER_BYTES + frames.log * this.#frameBytes;
    } catch {
      return false;
    }
  }
}
