import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { troubleLine } from '../../domain/trouble.ts';
import type { AppendError, Appended, EventStore, Readiness } from '../event-store.ts';
import type { AppendRequest } from './append-frame.ts';
import { askForAppend, isServed, serveAppends, type Told } from './append-socket.ts';
import { CommitSignal } from './commit-signal.ts';
import { lockDataDir } from './data-dir-lock.ts';
import { lockFileOf, takeLock, type ExclusiveLock } from './exclusive-lock.ts';
import { GroupCommit, type OnCommit, type OnWriterNews } from './group-commit.ts';
import { isEmptyFile } from '../empty-file.ts';
import { orphanLog } from '../orphan-log.ts';
import type { PartedLog } from '../parted-log.ts';
import { readAll, readHeaders, subscribe } from './log-tail.ts';
import { LARGE_CACHE_KIB, openDatabase, openReader } from './open-database.ts';
import { openError, type OpenError } from './open-error.ts';
import { MetDamage, type SharedDamage } from './met-damage.ts';
import { Reader } from './reader.ts';
import { hasStreamsByName } from './schema.ts';
import { storeInUse, storeNamed } from './store-in-use.ts';

/** Where a ledger keeps itself. */
export type SqliteLocation = {
  /** The event store's file. */
  readonly file: string;
  /** The data directory, which is there; its lock and the socket for commands are in it. */
  readonly dataDir: string;
  /** Of a ledger that serves: where each of its threads marks that a page of the file is damaged. */
  readonly damage?: SharedDamage;
};

/** How often a command that follows the log beside a serving ledger looks for news. */
const LOOK_EVERY_MS = 100;

/** Reads a file, and marks its damage where the location says. */
const readerOf = (database: Database.Database, { damage }: SqliteLocation): Reader =>
  new Reader(database, undefined, damage === undefined ? undefined : new MetDamage(damage).mark);

type Parts = {
  readonly reader: Reader;
  readonly append: (request: AppendRequest) => TE.TaskEither<AppendError, Appended>;
  readonly readiness: () => Readiness;
  readonly signal: CommitSignal;
  readonly lookEveryMs?: number;
  readonly close: () => Promise<void>;
};

/** The embedded store: its log is at hand, so that it can be read in every way. */
export type SqliteEventStore = EventStore & PartedLog;

const storeOf = ({ reader, append, readiness, signal, lookEveryMs, close }: Parts): SqliteEventStore => ({
  append: (stream, expected, events) => append({ stream, expected, events }),
  readStream: reader.readStream,
  streamPages: (stream) => reader.streamPages(stream),
  listStreams: reader.listStreams,
  readAll: (after) => readAll(reader, after),
  lastOfStream: reader.lastOfStream,
  readAt: reader.readAt,
  headersAt: reader.headersAt,
  readHeaders: (after, upTo) => readHeaders(reader, after, upTo),
  streamParts: () => reader.streamParts,
  readPart: reader.readPart,
  readPartAndStrays: reader.readPartAndStrays,
  head: () => reader.lastPosition,
  subscribe: (after, aborted, most) => subscribe(reader, after, aborted, () => signal.next(aborted, lookEveryMs), most),
  parsePosition: reader.parsePosition,
  readiness,
  close,
});

/** The socket file by which commands ask the ledger that serves from a data directory. */
export const socketOf = (dataDir: string): string => join(dataDir, 'ledger.sock');

const releaseAll = (locks: readonly ExclusiveLock[]): void => {
  for (const lock of locks) lock.release();
};

/** One ledger at a time serves a data directory and an event-store file (docs/spec/command-line.md, One writer). */
const takeLocks = ({ file, dataDir }: SqliteLocation): E.Either<OpenError, readonly ExclusiveLock[]> => {
  const folder = lockDataDir(dataDir);
  if (E.isLeft(folder)) return folder;
  const store = takeLock(lockFileOf(file), storeNamed(file));
  if (E.isLeft(store)) {
    folder.right.release();
    return store;
  }
  return E.right([folder.right, store.right]);
};

/** Takes both locks of a ledger that serves, for a command that exchanges its files. */
export const lockLedger = (location: SqliteLocation): E.Either<OpenError, Pick<ExclusiveLock, 'release'>> =>
  E.map((locks: readonly ExclusiveLock[]) => ({ release: () => releaseAll(locks) }))(takeLocks(location));

type Owned = {
  readonly writer: GroupCommit;
  readonly reader: Reader;
  readonly signal: CommitSignal;
  readonly release: () => void;
};

/** Takes the locks, starts the writer, and opens a reader beside it. */
const own = async (
  location: SqliteLocation,
  onCommit: OnCommit,
  onNews: OnWriterNews,
): Promise<E.Either<OpenError, Owned>> => {
  const locks = takeLocks(location);
  if (E.isLeft(locks)) return locks;
  const signal = new CommitSignal();
  const onOwnCommit: OnCommit = (tookMs) => {
    signal.notify();
    onCommit(tookMs);
  };
  const writer = await GroupCommit.start(
    { file: location.file, locks: locks.right.map((lock) => lock.held) },
    onOwnCommit,
    onNews,
  );
  const reader = E.isRight(writer) ? openReader(location.file) : writer;
  if (E.isLeft(writer)) {
    releaseAll(locks.right);
    return writer;
  }
  if (E.isLeft(reader)) {
    await writer.right.close();
    releaseAll(locks.right);
    return reader;
  }
  const ownReader = readerOf(reader.right, location);
  // Where this fails, whoever looks a stream up is told why.
  ownReader.prepareLookup();
  return E.right({
    writer: writer.right,
    reader: ownReader,
    signal,
    release: () => releaseAll(locks.right),
  });
};

/**
 * Opens the store of a ledger that serves: its only writer, also for the commands beside it.
 *
 * @param onCommit told of each commit
 * @param told what commands are answered that ask how the ledger is
 * @param onNews told of what happens to its file
 */
export const openServing = async (
  location: SqliteLocation,
  onCommit: OnCommit = () => undefined,
  told: Told = () => null,
  onNews: OnWriterNews = () => undefined,
): Promise<E.Either<OpenError, SqliteEventStore>> => {
  const owned = await own(location, onCommit, onNews);
  if (E.isLeft(owned)) return owned;
  const { writer, reader, signal, release } = owned.right;
  const socket = await serveAppends(socketOf(location.dataDir), writer.append, told).catch((error: unknown) =>
    String(error),
  );
  // The writer goes last, for only it can fold the write-ahead log into the file and take it away.
  const letGo = async (): Promise<void> => {
    reader.close();
    await writer.close();
    release();
  };
  if (typeof socket === 'string') {
    await letGo();
    return E.left(
      openError(
        'DataDirUnusable',
        `DATA_DIR ${location.dataDir} can't hold a socket (${socket})`,
        'use a shorter path, or move away what is there',
      ),
    );
  }
  const close = async (): Promise<void> => {
    await socket.close();
    await letGo();
  };
  return E.right(storeOf({ reader, append: writer.append, readiness: writer.readiness, signal, close }));
};

/** Appends of a command: the serving ledger is asked; where none serves, the lock is taken for as long as the command lives. */
class CommandWriter {
  readonly #location: SqliteLocation;
  #owned: Promise<E.Either<OpenError, Owned>> | null = null;

  constructor(location: SqliteLocation) {
    this.#location = location;
  }

  readonly append =
    (request: AppendRequest): TE.TaskEither<AppendError, Appended> =>
    async () => {
      if (this.#owned === null && (await isServed(socketOf(this.#location.dataDir)))) {
        return askForAppend(socketOf(this.#location.dataDir))(request)();
      }
      this.#owned ??= own(
        this.#location,
        () => undefined,
        () => undefined,
      );
      const owned = await this.#owned;
      if (E.isRight(owned)) return owned.right.writer.append(request)();
      const taken = storeInUse(this.#location);
      return E.left(
        taken === null
          ? { _tag: 'StoreUnavailable', detail: troubleLine(owned.left) }
          : { _tag: 'StoreUnavailable', detail: troubleLine(taken), reason: 'InUse' },
      );
    };

  readonly close = async (): Promise<void> => {
    const owned = await this.#owned;
    if (owned === null || E.isLeft(owned)) return;
    owned.right.reader.close();
    await owned.right.writer.close();
    owned.right.release();
  };
}

/** Takes a file of an older schema over, as the ledger does that serves from it. */
const takeOver = (location: SqliteLocation): E.Either<OpenError, void> => {
  const locks = takeLocks(location);
  if (E.isLeft(locks)) return locks;
  const database = openDatabase(location.file);
  if (E.isRight(database)) database.right.close();
  releaseAll(locks.right);
  return E.map(() => undefined)(database);
};

/** A connection that reads; a file whose streams are not found by it is taken over by whoever opens it first. */
const openBesideWriter = (location: SqliteLocation, cacheKib?: number): ReturnType<typeof openReader> => {
  const database = openReader(location.file, cacheKib);
  if (E.isLeft(database) || !hasStreamsByName(database.right)) return database;
  database.right.close();
  return E.flatMap(() => openReader(location.file, cacheKib))(takeOver(location));
};

/**
 * Opens the store beside a serving ledger or without one, for a command or for a thread. The file must be there.
 *
 * @param signal told of each commit; without it, who follows the log looks for news every 100 ms
 */
export const openBeside = (location: SqliteLocation, signal?: CommitSignal): E.Either<OpenError, SqliteEventStore> => {
  // Who is told of commits reads what is new, once; others may read all of it, stream by stream.
  const database = openBesideWriter(location, signal === undefined ? LARGE_CACHE_KIB : undefined);
  if (E.isLeft(database)) return database;
  const reader = readerOf(database.right, location);
  const writer = new CommandWriter(location);
  return E.right(
    storeOf({
      reader,
      append: writer.append,
      readiness: () => ({ ready: true }),
      signal: signal ?? new CommitSignal(),
      ...(signal === undefined ? { lookEveryMs: LOOK_EVERY_MS } : {}),
      close: async () => {
        reader.close();
        await writer.close();
      },
    }),
  );
};

/**
 * Whether there is a store at all, or what is left of one: before the first start there is none, and nothing in it. A file without a
 * byte is none: a first start that was killed leaves one.
 */
export const storeExists = ({ file }: SqliteLocation): boolean =>
  (existsSync(file) && !isEmptyFile(file)) || orphanLog(file) !== null;
