import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { WrittenManifest } from '../queries/exports/written-manifest.ts';
import type { Pieces } from '../queries/exports/export-table.ts';
import { directLiveFeed } from '../queries/live/direct-live-feed.ts';
import type { LiveFeed, LivePersonalData } from '../queries/live/live-feed.ts';
import { retried } from '../concurrency/retried.ts';
import { wait } from '../concurrency/wait.ts';
import type { Position } from '../domain/ids.ts';
import { CommitSignal } from '../event-store/sqlite/commit-signal.ts';
import type { QueryFailure } from '../queries/failure/query-failure.ts';
import { withPast } from '../read-models/past-read-models.ts';
import type { ReadModelsUnavailable } from '../read-models/read-models.ts';
import type { Snapshot } from '../read-models/snapshot.ts';
import { PastStates } from '../read-models/touched-orders.ts';
import type { Generations } from '../read-models/sqlite/generations.ts';
import { openSnapshot } from '../read-models/sqlite/open-queries.ts';
import { IncludedFloor } from './included-floor.ts';
import { openLogAndGenerations, type LogAndGenerations } from './log-and-generations.ts';
import { lowerPriority } from './lower-priority.ts';
import { ownBufferOf } from './own-buffer.ts';
import { threadEnd } from './serve-thread.ts';
import { isStreamOptions, streamProtocol, type StreamAnswer, type StreamTask } from './stream-message.ts';

/** Deliveries come first: on Linux a priority is one thread's own. */
const PRIORITY = 5;

/** How long an export waits for the first build, as long as a question does. */
const FIRST_BUILD_MS = 5_000;
const LOOK_EVERY_MS = 100;

type Session = {
  readonly position: Position | null;
  readonly pieces: Pieces;
  readonly manifest: () => WrittenManifest | null;
  readonly close: () => Promise<void>;
};

const unavailable = (detail: string): ReadModelsUnavailable => ({ _tag: 'ReadModelsUnavailable', detail });

const broken = (error: unknown): QueryFailure => ({ _tag: 'StreamFailed', detail: String(error) });

const openedSnapshot = (
  generations: Generations,
  floor: IncludedFloor,
): TE.TaskEither<ReadModelsUnavailable, Snapshot | null> =>
  TE.tryCatch(
    () =>
      floor.reachedBy(
        () => openSnapshot(generations),
        (snapshot) => ({ stamp: snapshot.stamp, checkpoint: snapshot.progress().checkpoint }),
        (snapshot) => snapshot.close(),
      ),
    (error) => unavailable(error instanceof Error ? error.message : String(error)),
  );

const snapshotOf =
  (generations: Generations, floor: IncludedFloor): (() => TE.TaskEither<ReadModelsUnavailable, Snapshot>) =>
  () =>
  async () => {
    const giveUpAt = performance.now() + FIRST_BUILD_MS;
    const snapshot = await retried(
      openedSnapshot(generations, floor),
      (opened) => (E.isRight(opened) && opened.right === null && performance.now() < giveUpAt ? LOOK_EVERY_MS : null),
      wait,
    );
    return E.chain(E.fromNullable(unavailable('the read models are being built')))(snapshot);
  };

/** Opens what tasks ask for. */
class Streams {
  readonly #opened: LogAndGenerations;
  readonly #liveFeed: LiveFeed;
  readonly #floor: IncludedFloor;
  #past: PastStates;

  constructor(opened: LogAndGenerations, floor: IncludedFloor) {
    this.#opened = opened;
    this.#floor = floor;
    this.#liveFeed = directLiveFeed(opened.store);
    this.#past = new PastStates(opened.store);
  }

  /** Lets go of what was found of moments: the log is another one where its store was restored from a copy. */
  forget(): void {
    this.#past = new PastStates(this.#opened.store);
  }

  open(task: StreamTask): TE.TaskEither<QueryFailure, Session> {
    if (task._tag === 'Live') return TE.right(this.#live(task.after, task.personal));
    const { store, generations } = this.#opened;
    const keys = new Map(task.secrets.map(({ id, key }) => [id, Buffer.from(key, 'hex')]));
    const secretKey = (id: string) => keys.get(id) ?? null;
    const openSnapshot = () =>
      TE.map((snapshot: Snapshot) => withPast(snapshot, this.#past))(snapshotOf(generations, this.#floor)());
    // Loaded by ledgers that export, not by each of whose events somebody follows.
    return async () =>
      (await import('../queries/exports/direct-exporter.ts')).directExporter({ store, secretKey, openSnapshot })(
        task.request,
      )();
  }

  #live(after: Position | null, personal: LivePersonalData): Session {
    const ended = new AbortController();
    return {
      position: after,
      pieces: this.#liveFeed(after, personal, ended.signal),
      manifest: () => null,
      close: () => {
        ended.abort();
        return Promise.resolve();
      },
    };
  }
}

const nextOf = async ({ pieces, manifest }: Session): Promise<StreamAnswer> => {
  const next = await pieces.next();
  if (next.done === true) return { _tag: 'Ended', manifest: manifest() };
  return E.isLeft(next.value)
    ? { _tag: 'Failed', failure: next.value.left }
    : { _tag: 'Piece', piece: next.value.right };
};

const serveStreams = (
  port: MessagePort,
  opened: LogAndGenerations,
  floor: IncludedFloor,
  signal: CommitSignal,
): void => {
  const streams = new Streams(opened, floor);
  const sessions = new Map<number, Promise<E.Either<QueryFailure, Session>>>();

  const end = async (stream: number): Promise<void> => {
    const session = await sessions.get(stream);
    sessions.delete(stream);
    if (session !== undefined && E.isRight(session)) await session.right.close();
  };
  const open = async (stream: number, task: StreamTask): Promise<StreamAnswer> => {
    const session = streams
      .open(task)()
      .catch((error: unknown) => E.left(broken(error)));
    sessions.set(stream, session);
    const made = await session;
    return E.isLeft(made) ? { _tag: 'Failed', failure: made.left } : { _tag: 'Opened', position: made.right.position };
  };
  const next = async (stream: number): Promise<StreamAnswer> => {
    const session = await sessions.get(stream);
    if (session === undefined) return { _tag: 'Ended', manifest: null };
    return E.isLeft(session) ? { _tag: 'Failed', failure: session.left } : nextOf(session.right);
  };

  threadEnd(port, streamProtocol).serve({
    answer: async (question) => {
      try {
        return await (question._tag === 'Open' ? open(question.stream, question.task) : next(question.stream));
      } catch (error) {
        return { _tag: 'Failed', failure: broken(error) };
      }
    },
    // Copies of what is megabytes a second would be garbage of the thread that receives, which is held while it is collected.
    transfer: (answer) => {
      if (answer._tag === 'Piece') return ownBufferOf(answer.piece);
      return answer._tag === 'Ended' && answer.manifest !== null ? ownBufferOf(answer.manifest.bytes) : [];
    },
    onNote: (note) => {
      if (note._tag === 'Appended') signal.notify();
      else if (note._tag === 'Replaced') streams.forget();
      // What can't be closed would hold its place in the database: then the thread dies, and is started again.
      else void end(note.stream);
    },
    close: async () => {
      await Promise.all([...sessions.keys()].map(end));
      await opened.store.close();
      opened.generations.close();
    },
  });
};

if (parentPort !== null && isStreamOptions(workerData)) {
  lowerPriority(PRIORITY);
  const signal = new CommitSignal();
  const opened = await openLogAndGenerations(workerData, signal);
  // It dies with the reason, which its other end tells to whoever asks.
  if (E.isLeft(opened)) throw new Error(opened.left);
  serveStreams(parentPort, opened.right, new IncludedFloor(workerData.floor), signal);
}
