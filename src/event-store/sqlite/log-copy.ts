import { closeSync, openSync, existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import * as E from 'fp-ts/lib/Either.js';
import type { Position } from '../../domain/ids.ts';
import { epochMsOf } from '../../domain/instant.ts';
import { comparePositions, positionNumber } from '../../domain/position.ts';
import type { RecordedEvent } from '../../domain/recorded-event.ts';
import { SqliteStatements } from '../../sql/sqlite-statements.ts';
import type { EventStore, StoreUnavailable } from '../event-store.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { newEvents, type NewRow } from './event-statements.ts';
import { takeLock } from './exclusive-lock.ts';
import { indexCopy, makeCopyTables } from './schema.ts';
import { StreamIndex } from './stream-index.ts';

/** A log of another store in a file of this one, at the same positions. */
export type LogCopy = { readonly remove: () => void };

/** Events of one transaction, and their bytes, which are held until then; other work gets its turn as the next ones come. */
const EVENTS_AT_ONCE = 2_000;
const BYTES_AT_ONCE = 8 * 1_048_576;
/** Whoever looks for leftovers holds a lock so long at the most, about. */
const LOCK_WITHIN_MS = 500;

const unavailable = (detail: string): E.Either<StoreUnavailable, never> => E.left({ _tag: 'StoreUnavailable', detail });

/** Writes events at the places that they have. Nothing of it needs to survive: a copy that was cut off is made anew. */
class CopyWriter {
  readonly #database: Database.Database;
  readonly #streams: StreamIndex;
  readonly #write: (events: readonly RecordedEvent[]) => void;

  constructor(file: string) {
    this.#database = new Database(file);
    this.#database.pragma('page_size = 8192');
    this.#database.pragma('journal_mode = OFF');
    this.#database.pragma('synchronous = OFF');
    makeCopyTables(this.#database);
    this.#streams = new StreamIndex(this.#database);
    const statements = new SqliteStatements(this.#database);
    this.#write = this.#database.transaction((events: readonly RecordedEvent[]) => {
      const rows = events.map((event): NewRow => {
        const { position, stream, revision, id, type, recordedAt, data, metadata, rawBody } = event;
        const number = this.#streams.find(stream) ?? this.#streams.begin(stream);
        const at = epochMsOf(recordedAt);
        return [positionNumber(position), number, stream, revision, id, type, at, data, metadata, rawBody];
      });
      statements.put(newEvents, rows);
      this.#streams.settle();
    });
  }

  write(events: readonly RecordedEvent[]): void {
    this.#write(events);
  }

  finish(): void {
    indexCopy(this.#database);
  }

  close(): void {
    this.#database.close();
  }
}

/** Reads the log from end to end into the writer. */
const fill = async (
  store: Pick<EventStore, 'readAll'>,
  writer: CopyWriter,
  upTo: Position,
  onProgress: (share: number, events: number) => void,
  signal: AbortSignal | undefined,
): Promise<E.Either<StoreUnavailable, void>> => {
  let [gathered, bytes, events]: [RecordedEvent[], number, number] = [[], 0, 0];
  const last = positionNumber(upTo);
  const writeGathered = (): void => {
    writer.write(gathered);
    events += gathered.length;
    // Positions grow along the log, and in an EventStoreDB with its bytes: they say well how far one is.
    onProgress(Math.min(1, Number(gathered.at(-1)?.position ?? 0) / last), events);
    [gathered, bytes] = [[], 0];
  };
  for await (const read of store.readAll(null)) {
    if (E.isLeft(read)) return read;
    if (comparePositions(read.right.position, upTo) > 0) break;
    bytes += read.right.data.length + read.right.metadata.length + (read.right.rawBody?.length ?? 0);
    if (gathered.push(read.right) < EVENTS_AT_ONCE && bytes < BYTES_AT_ONCE) continue;
    if (signal?.aborted === true) return unavailable('the copying was stopped');
    writeGathered();
  }
  writeGathered();
  writer.finish();
  return E.right(undefined);
};

const lockOf = (file: string): string => `${file}.lock`;

/**
 * Removes a copy that a killed process has left; one that is in use stays, and so does one that can't be removed.
 *
 * @param file where `copyLog` makes it
 */
export const removeLeftCopy = (file: string): void => {
  if (!existsSync(file)) return;
  const lock = takeLock(lockOf(file), `the copy ${file}`);
  if (E.isLeft(lock)) return;
  try {
    rmSync(file, { force: true });
  } catch {
    // The next copy that is made there says what is in the way.
  } finally {
    lock.right.release();
  }
};

/**
 * Copies a log up to a position into a file, for what must read all of it by streams. It is made anew each time, so that
 * what is read from it is what the store holds now.
 *
 * @param file taken for it; one that an earlier run left is replaced, and of two runs the second is refused
 */
export const copyLog = async (
  store: Pick<EventStore, 'readAll'>,
  file: string,
  upTo: Position,
  onProgress: (share: number, events: number) => void,
  signal?: AbortSignal,
): Promise<E.Either<StoreUnavailable, LogCopy>> => {
  try {
    makeFolder(dirname(file));
  } catch (error) {
    return unavailable(`${dirname(file)} can't be made: ${String(error)}`);
  }
  const lock = takeLock(lockOf(file), `the copy ${file}`, LOCK_WITHIN_MS);
  if (E.isLeft(lock)) return unavailable(lock.left.detail);
  // The lock's file stays: whoever took it while it was being removed would lock a file that nobody else sees.
  const remove = (): void => {
    rmSync(file, { force: true });
    lock.right.release();
  };
  try {
    rmSync(file, { force: true });
    // For its owner only, as all that holds personal data.
    closeSync(openSync(file, 'wx', 0o600));
    const writer = new CopyWriter(file);
    try {
      const filled = await fill(store, writer, upTo, onProgress, signal);
      if (E.isRight(filled)) return E.right({ remove });
      remove();
      return filled;
    } finally {
      writer.close();
    }
  } catch (error) {
    remove();
    return unavailable(`the log can't be copied to ${file}: ${String(error)}`);
  }
};
