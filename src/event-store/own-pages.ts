import { closeSync, existsSync, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import type Database from 'better-sqlite3';

/** Of a write-ahead log, and of each page in it (the SQLite documentation, WAL-mode File Format). */
const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** Two numbers that are new each time that a log begins anew: where its header has them, and the head of each page. */
const SALTS_AT = 16;
const FRAME_SALTS_AT = 8;
const SALTS_BYTES = 8;

/** What is appended, and what finds it, stands at the end of the file: another history of as many pages has others there. */
const LAST_PAGES = 64;

/** File systems tell times in steps of some milliseconds: a change so soon behind another one may have the same. */
const SOON_MS = 1_000n;

/** As SQLite counts: pages in the log, and how many of them are in the file too. */
type Frames = { readonly busy: number; readonly log: number; readonly checkpointed: number };

type Changed = { readonly size: bigint; readonly mtimeNs: bigint; readonly ctimeNs: bigint };

/** Pages of the file itself, as they were read, by their numbers, from 1. */
type Pages = ReadonlyMap<number, Buffer>;

const isSameTime = (a: Changed, b: Changed): boolean =>
  a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;

/**
 * Knows the file of a database in WAL mode by pages of it, its first one and its last ones. Such a file changes only by what is taken
 * into it from its write-ahead log, by this program or another one: a page that is neither what it was nor in that log was written by
 * somebody who knows nothing of the log, as `cp` over the file does, however large what came there is.
 *
 * The file is held open for as long as the database is: a file that is closed loses all locks that its process has on it, those of
 * SQLite too.
 */
export class OwnPages {
  readonly #file: string;
  readonly #handle: number;
  readonly #log: string;
  readonly #pageBytes: number;
  readonly #frames: Database.Statement<[], Frames>;
  #changed: Changed;
  /** Whether a change behind the last one that was looked at may not be seen by its time. */
  #maySeemSame: boolean;
  #pages: Pages;
  /** The salts of the log at the last look; empty: it had no header. */
  #salts: string;
  /** Whether all of the log was in the file at the last look. */
  #isWhole: boolean;
  /** Commits since the last look. */
  #writes = 0;

  /** @param database of which only this connection writes */
  constructor(database: Database.Database) {
    this.#file = database.name;
    this.#log = `${realpathSync(database.name)}-wal`;
    this.#pageBytes = Number(database.pragma('page_size', { simple: true }));
    // It counts, and does nothing else, in some twenty microseconds.
    this.#frames = database.prepare('PRAGMA wal_checkpoint(NOOP)');
    this.#handle = openSync(database.name, 'r');
    this.#changed = this.#looked();
    this.#maySeemSame = true;
    this.#pages = this.#read(this.#lastPages());
    this.#salts = this.#saltsNow();
    this.#isWhole = this.#wholeNow();
  }

  /** To be called behind each commit. */
  wrote(): void {
    this.#writes += 1;
  }

  /** Outside of a transaction only: why nothing may be acknowledged any more. Null where nothing is wrong, or it can't be looked at now. */
  damage(): string | null {
    try {
      return this.#damage();
    } catch {
      return null;
    }
  }

  /** To be called when the database is closed, and no other connection of this process has it. */
  close(): void {
    closeSync(this.#handle);
  }

  #damage(): string | null {
    const now = this.#looked();
    const salts = this.#saltsNow();
    if (isSameTime(now, this.#changed) && (salts === this.#salts || !this.#maySeemSame)) {
      this.#isWhole &&= this.#writes === 0;
      this.#writes = 0;
      // Where it began anew, all that was in it before was in the file at the last change of that.
      this.#salts = salts;
      return null;
    }
    if (!isSameTime(now, this.#changed) && this.#isForeign(salts))
      return `${this.#file} was overwritten or cut while it was in use: it has pages that the ledger has not written`;
    this.#changed = now;
    this.#maySeemSame = BigInt(Date.now()) - now.mtimeNs / 1_000_000n < SOON_MS;
    this.#pages = this.#read(this.#lastPages());
    this.#salts = salts;
    this.#isWhole = this.#wholeNow();
    this.#writes = 0;
    return null;
  }

  /** Whether there are pages that are neither what they were nor in the log. */
  #isForeign(salts: string): boolean {
    // Pages of a log that began anew are not there any more. Another program may have taken them into the file, where there were
    // any, and where this one has begun it anew since.
    const isAllThere = salts === this.#salts || (this.#isWhole && this.#writes <= 1);
    if (salts === '' || !isAllThere) return false;
    // Another program may be writing them: what is wrong is so at a second look, too.
    const first = this.#foreign(salts);
    if (first.size === 0) return false;
    const second = this.#foreign(salts);
    return [...first.keys()].some((page) => second.has(page)) && this.#saltsNow() === salts;
  }

  #foreign(salts: string): Pages {
    const found = this.#read([...this.#pages.keys()]);
    const open = new Map([...found].filter(([page, bytes]) => this.#pages.get(page)?.equals(bytes) !== true));
    if (open.size > 0) this.#takeOutLogged(open, salts);
    return open;
  }

  /** Takes out pages that are in the log, the newest of which are looked at first. */
  #takeOutLogged(open: Map<number, Buffer>, salts: string): void {
    const log = openSync(this.#log, 'r');
    try {
      const frameBytes = FRAME_HEADER_BYTES + this.#pageBytes;
      const head = Buffer.alloc(FRAME_HEADER_BYTES);
      const page = Buffer.alloc(this.#pageBytes);
      for (let frame = (this.#frames.get()?.log ?? 0) - 1; frame >= 0 && open.size > 0; frame -= 1) {
        const at = HEADER_BYTES + frame * frameBytes;
        if (readSync(log, head, 0, FRAME_HEADER_BYTES, at) < FRAME_HEADER_BYTES) continue;
        if (head.toString('hex', FRAME_SALTS_AT, FRAME_SALTS_AT + SALTS_BYTES) !== salts) continue;
        const number = head.readUInt32BE(0);
        const bytes = open.get(number);
        if (bytes === undefined) continue;
        readSync(log, page, 0, this.#pageBytes, at + FRAME_HEADER_BYTES);
        if (page.equals(bytes)) open.delete(number);
      }
    } finally {
      closeSync(log);
    }
  }

  #looked(): Changed {
    const { size, mtimeNs, ctimeNs } = fstatSync(this.#handle, { bigint: true });
    return { size, mtimeNs, ctimeNs };
  }

  #lastPages(): readonly number[] {
    const pages = Math.floor(Number(this.#changed.size) / this.#pageBytes);
    const last = Array.from({ length: Math.min(pages, LAST_PAGES) }, (_, i) => pages - i);
    return pages > LAST_PAGES ? [1, ...last] : last;
  }

  /** What the file does not have is empty. */
  #read(pages: readonly number[]): Pages {
    return new Map(
      pages.map((page) => {
        const bytes = Buffer.alloc(this.#pageBytes);
        const read = readSync(this.#handle, bytes, 0, this.#pageBytes, (page - 1) * this.#pageBytes);
        return [page, bytes.subarray(0, read)];
      }),
    );
  }

  /** Empty: the log has no header, as where another program has emptied it. */
  #saltsNow(): string {
    if (!existsSync(this.#log)) return '';
    const log = openSync(this.#log, 'r');
    try {
      const header = Buffer.alloc(HEADER_BYTES);
      const read = readSync(log, header, 0, HEADER_BYTES, 0);
      return read < HEADER_BYTES ? '' : header.toString('hex', SALTS_AT, SALTS_AT + SALTS_BYTES);
    } finally {
      closeSync(log);
    }
  }

  #wholeNow(): boolean {
    const frames = this.#frames.get();
    return frames !== undefined && frames.log === frames.checkpointed;
  }
}
