import type Database from 'better-sqlite3';
import { SqliteStatements } from '../../sql/sqlite-statements.ts';
import type { ExpectedRevision } from '../event-store.ts';
import type { FramedAppend, FramedEvent, WriterAnswer } from './append-frame.ts';
import { keptPlace, type HeldFile } from '../kept-place.ts';
import { OwnPages } from '../own-pages.ts';
import { placeOfFile } from '../place-of-file.ts';
import { ShortLog } from '../short-log.ts';
import { sqliteCode } from '../sqlite-code.ts';
import { isReadOnly, whyUnwritten } from '../why-unwritten.ts';
import { eventStatements, newEvents, type NewRow, type WrittenRow } from './event-statements.ts';
import { StreamHeads } from './stream-heads.ts';
import { StreamIndex } from './stream-index.ts';

/** What became of a batch: answers for all of it once it is durable, or one failure for all of it. */
export type BatchOutcome =
  | { readonly _tag: 'Committed'; readonly answers: readonly WriterAnswer[] }
  /** Nothing of the batch is durable. `full`: there was no room; it may be tried again. */
  | { readonly _tag: 'Full'; readonly detail: string }
  /** The same of a file system that was made read-only: what was written before is durable, and nothing was since. */
  | { readonly _tag: 'ReadOnly'; readonly detail: string }
  /** A commit failed in another way. What is on disk is not known, so nothing more is written until a restart has read it anew. */
  | { readonly _tag: 'Failed'; readonly detail: string };

/** Where a stream ends; a stream of null is none. */
type Head = { readonly stream: number | null; readonly revision: number };

/** Streams whose ends are remembered: orders have their next events soon, or none. */
const MOST_HEADS = 65_536;

const NOTHING: Head = { stream: null, revision: -1 };

/**
 * Writes that found no room left everything as it was; a failed fsync did not (docs/spec/receiving.md, Durability). SQLite says
 * this one of a quota, of a file system that is read-only, and of a disk that fails.
 */
const NO_ROOM = 'SQLITE_FULL';
const REFUSED = 'SQLITE_IOERR_WRITE';

const PROBE = ['INSERT OR REPLACE INTO probe (id, filler) VALUES (1, zeroblob(65536))', 'DELETE FROM probe'] as const;

/** How the writer learns what the disk is like. */
type DiskLooks = { readonly isReadOnly: typeof isReadOnly; readonly whyUnwritten: typeof whyUnwritten };

const byTheDisk: DiskLooks = { isReadOnly, whyUnwritten };

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Writes batches of appends, each in one transaction, so that all who wait share one fsync. It is the only writer of its
 * file, which lets it hand out positions and stream ids itself.
 */
export class Writer {
  readonly #database: Database.Database;
  readonly #moved: () => string | null;
  readonly #log: ShortLog;
  readonly #pages: OwnPages;
  readonly #statements: SqliteStatements;
  readonly #streams: StreamIndex;
  /** Events of the batch under way that are not in the file yet: they go there together. */
  readonly #rows: NewRow[] = [];
  /** A stream that is not remembered ends where the file says. */
  readonly #heads: StreamHeads;
  #nextPosition: number;
  /** Whether streams of a batch that is not in the file may still be known. */
  #rolledBack = false;
  #failure: string | null = null;
  /** Why nothing could be written; until a probe can, nothing gets in behind what was refused. */
  #refused: Extract<BatchOutcome, { readonly _tag: 'Full' | 'ReadOnly' }> | null = null;
  readonly #disk: DiskLooks;
  /** It lies beside the file that a link leads to. */
  readonly #logFile: string;

  /** @param locks those that keep every other writer out */
  constructor(
    database: Database.Database,
    locks: readonly HeldFile[] = [],
    mostHeads = MOST_HEADS,
    disk: DiskLooks = byTheDisk,
  ) {
    this.#disk = disk;
    this.#logFile = `${placeOfFile(database.name)}-wal`;
    this.#database = database;
    this.#moved = keptPlace(database.name, locks);
    this.#log = new ShortLog(database);
    this.#pages = new OwnPages(database);
    this.#heads = new StreamHeads(mostHeads);
    this.#statements = new SqliteStatements(database);
    this.#streams = new StreamIndex(database);
    this.#nextPosition = this.#statements.one(eventStatements.head, {}).position + 1;
  }

  /**
   * Writes a batch. Whatever it answers holds for every append of the batch, and where there was no room also for those
   * behind it, until a probe works: who appends a log in its order may send many at once.
   */
  write(appends: Iterable<FramedAppend>, recordedAt: number): BatchOutcome {
    if (this.#failure !== null) return { _tag: 'Failed', detail: this.#failure };
    if (this.#refused !== null) return this.#refused;
    const position = this.#nextPosition;
    try {
      if (this.#rolledBack) this.#streams.reload();
      this.#rolledBack = false;
      this.#database.exec('BEGIN IMMEDIATE');
      const answers: WriterAnswer[] = [];
      for (const append of appends) answers.push(this.#append(append, recordedAt));
      this.#putRows();
      this.#streams.settle();
      this.#database.exec('COMMIT');
      this.#pages.wrote();
      this.#failure = this.#moved() ?? this.#pages.damage();
      return this.#failure === null ? { _tag: 'Committed', answers } : { _tag: 'Failed', detail: this.#failure };
    } catch (error) {
      this.#nextPosition = position;
      this.#rolledBack = true;
      this.#rows.length = 0;
      this.#heads.clear();
      return this.#giveUp(error);
    }
  }

  /** Looks whether its files are what they were, though nothing is written; null where they are, else no write follows. */
  look(): string | null {
    this.#failure ??= this.#moved() ?? this.#log.damage() ?? this.#pages.damage();
    return this.#failure;
  }

  /** To be called when the database is closed. */
  close(): void {
    this.#pages.close();
  }

  /** Looks whether its file system is read-only now, though nothing is written; null where it is not, or that was told already. */
  lookForReadOnly(): string | null {
    if (this.#failure !== null || this.#refused !== null || !this.#disk.isReadOnly(this.#logFile)) return null;
    const detail = this.#readOnlyWords();
    this.#refused = { _tag: 'ReadOnly', detail };
    return detail;
  }

  /** Whether there is room again: writes something, as a batch would. */
  probe(): BatchOutcome {
    if (this.#failure !== null) return { _tag: 'Failed', detail: this.#failure };
    try {
      // Each is a commit of its own.
      for (const sql of PROBE) {
        this.#database.exec(sql);
        this.#pages.wrote();
      }
      this.#refused = null;
      return { _tag: 'Committed', answers: [] };
    } catch (error) {
      return this.#giveUp(error);
    }
  }

  #giveUp(error: unknown): BatchOutcome {
    const code = sqliteCode(error);
    const detail = this.#wordsOf(code, error);
    try {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
    } catch (again) {
      this.#failure = `${detail}; then ${messageOf(again)}`;
      return { _tag: 'Failed', detail: this.#failure };
    }
    const why = code === REFUSED ? this.#disk.whyUnwritten(this.#logFile) : 'unknown';
    if (code === NO_ROOM || why === 'no room') this.#refused = { _tag: 'Full', detail };
    else if (why === 'read-only') this.#refused = { _tag: 'ReadOnly', detail: this.#readOnlyWords() };
    else {
      this.#failure = detail;
      return { _tag: 'Failed', detail };
    }
    return this.#refused;
  }

  #readOnlyWords(): string {
    return `the file system of ${this.#database.name} is read-only, as the system makes it where a disk fails`;
  }

  /** Only the writer hands out positions and stream ids: where one is taken, somebody else wrote. */
  #wordsOf(code: string, error: unknown): string {
    const words = `${code === '' ? 'error' : code}: ${messageOf(error)}`;
    return code.startsWith('SQLITE_CONSTRAINT')
      ? `another program writes to ${this.#database.name}, another ledger perhaps (${words}); stop all of them, and start one`
      : words;
  }

  #append(append: FramedAppend, recordedAt: number): WriterAnswer {
    const { stream: name, events } = append;
    const head = this.#headOf(name);
    if (head.revision !== asNumber(append.expected)) return this.#alreadyThere(append, head);
    const position = this.#nextPosition;
    const stream = head.stream ?? this.#streams.begin(name);
    let revision = head.revision;
    for (const { id, type, data, metadata, rawBody } of events) {
      revision += 1;
      this.#rows.push([this.#nextPosition, stream, name, revision, id, type, recordedAt, data, metadata, rawBody]);
      this.#nextPosition += 1;
    }
    this.#heads.put(stream, revision);
    return { _tag: 'Written', revision: head.revision + 1, position };
  }

  #putRows(): void {
    this.#statements.put(newEvents, this.#rows);
    this.#rows.length = 0;
  }

  #headOf(name: string): Head {
    const stream = this.#streams.find(name);
    if (stream === undefined) return NOTHING;
    return { stream, revision: this.#heads.get(stream) ?? this.#readHead(stream) };
  }

  #readHead(stream: number): number {
    // Its last event may be of this batch.
    this.#putRows();
    return this.#statements.get(eventStatements.lastRevision, { stream })?.revision ?? -1;
  }

  /** The same append once more, after an unknown outcome say, is answered as it was then; anything else lost its race. */
  #alreadyThere({ expected, events }: FramedAppend, head: Head): WriterAnswer {
    const first = asNumber(expected) + 1;
    // What is asked for may be of this batch.
    this.#putRows();
    const there = events.map((event, i) => {
      if (head.stream === null) return null;
      const place = { stream: head.stream, revision: first + i };
      const found = this.#statements.get(eventStatements.written, place);
      return found !== undefined && sameEvent(found, event) ? found.position : null;
    });
    const position = there[0];
    return position === null || position === undefined || there.includes(null)
      ? { _tag: 'WrongExpectedRevision', actual: head.revision }
      : { _tag: 'Written', revision: first, position };
  }
}

const asNumber = (expected: ExpectedRevision): number => (expected === 'none' ? -1 : expected);

const sameEvent = (found: WrittenRow, event: FramedEvent): boolean =>
  found.id === event.id &&
  found.type === event.type &&
  found.data.equals(event.data) &&
  found.metadata.equals(event.metadata) &&
  (found.raw_body === null ? event.rawBody === null : event.rawBody !== null && found.raw_body.equals(event.rawBody));
