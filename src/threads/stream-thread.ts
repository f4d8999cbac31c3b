import { setPriority } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { either as E, taskEither as TE } from 'fp-ts';
import { directExporter } from '../api/exports/direct-exporter.ts';
import type { ExportManifest } from '../api/exports/export-manifest.ts';
import type { Pieces } from '../api/exports/export-table.ts';
import { directLiveFeed } from '../api/live/direct-live-feed.ts';
import type { LiveFeed } from '../api/live/live-feed.ts';
import type { Position } from '../domain/ids.ts';
import { CommitSignal } from '../event-store/sqlite/commit-signal.ts';
import type { QueryFailure } from '../queries/failure/query-failure.ts';
import type { ReadModelsUnavailable } from '../read-models/read-models.ts';
import type { Snapshot } from '../read-models/snapshot.ts';
import type { Generations } from '../read-models/sqlite/generations.ts';
import { openSnapshot } from '../read-models/sqlite/sqlite-projections.ts';
import { openLogAndGenerations, type LogAndGenerations } from './log-and-generations.ts';
import {
  isStreamOptions,
  type FromStreamThread,
  type StreamAnswer,
  type StreamTask,
  type ToStreamThread,
} from './stream-message.ts';

/** Deliveries come first: on Linux a priority is one thread's own. */
const PRIORITY = 5;

/** How long an export waits for the first build, as long as a question does. */
const FIRST_BUILD_MS = 5_000;
const LOOK_EVERY_MS = 100;

type Session = {
  readonly position: Position | null;
  readonly pieces: Pieces;
  readonly manifest: () => ExportManifest | null;
  readonly close: () => Promise<void>;
};

const unavailable = (detail: string): ReadModelsUnavailable => ({ _tag: 'ReadModelsUnavailable', detail });

const broken = (error: unknown): QueryFailure => ({ _tag: 'StreamFailed', detail: String(error) });

const snapshotOf =
  (generations: Generations): (() => TE.TaskEither<ReadModelsUnavailable, Snapshot>) =>
  () =>
  async () => {
    const giveUpAt = performance.now() + FIRST_BUILD_MS;
    for (;;) {
      const snapshot = E.tryCatch(
        () => openSnapshot(generations),
        (error) => unavailable(String(error)),
      );
      if (E.isLeft(snapshot)) return snapshot;
      if (snapshot.right !== null) return E.right(snapshot.right);
      if (performance.now() > giveUpAt) return E.left(unavailable('the read models are being built'));
      await wait(LOOK_EVERY_MS);
    }
  };

/** Opens what tasks ask for. */
class Streams {
  readonly #opened: LogAndGenerations;
  readonly #liveFeed: LiveFeed;

  constructor(opened: LogAndGenerations) {
    this.#opened = opened;
    this.#liveFeed = directLiveFeed(opened.store);
  }

  open(task: StreamTask): TE.TaskEither<QueryFailure, Session> {
    if (task._tag === 'Live') return TE.right(this.#live(task.after));
    const { store, generations } = this.#opened;
    const keys = new Map(task.secrets.map(({ id, key }) => [id, Buffer.from(key, 'hex')]));
    const secretKey = (id: string) => keys.get(id) ?? null;
    return directExporter({ store, secretKey, openSnapshot: snapshotOf(generations) })(task.request);
  }

  #live(after: Position | null): Session {
    const ended = new AbortController();
    return {
      position: after,
      pieces: this.#liveFeed(after, ended.signal),
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

const serveStreams = (port: MessagePort, opened: LogAndGenerations, signal: CommitSignal): void => {
  const streams = new Streams(opened);
  const sessions = new Map<number, Promise<E.Either<QueryFailure, Session>>>();
  const post = (message: FromStreamThread): void => port.postMessage(message, []);

  const answerTo = (id: number, answer: Promise<StreamAnswer>): void => {
    const orBroken = answer.catch((error: unknown): StreamAnswer => ({ _tag: 'Failed', failure: broken(error) }));
    void orBroken.then((made) => {
      post({ id, answer: made });
      return undefined;
    });
  };
  const end = async (id: number): Promise<void> => {
    const session = await sessions.get(id);
    sessions.delete(id);
    if (session !== undefined && E.isRight(session)) await session.right.close();
  };
  const opening = async (session: Promise<E.Either<QueryFailure, Session>>): Promise<StreamAnswer> => {
    const made = await session;
    return E.isLeft(made) ? { _tag: 'Failed', failure: made.left } : { _tag: 'Opened', position: made.right.position };
  };
  const next = async (id: number): Promise<StreamAnswer> => {
    const session = await sessions.get(id);
    if (session === undefined) return { _tag: 'Ended', manifest: null };
    return E.isLeft(session) ? { _tag: 'Failed', failure: session.left } : nextOf(session.right);
  };
  const close = async (): Promise<void> => {
    await Promise.all([...sessions.keys()].map(end));
    await opened.store.close();
    opened.generations.close();
    port.close();
  };

  port.on('message', (message: ToStreamThread) => {
    if (message._tag === 'Appended') signal.notify();
    else if (message._tag === 'Open') {
      const session = streams
        .open(message.task)()
        .catch((error: unknown) => E.left(broken(error)));
      sessions.set(message.id, session);
      answerTo(message.id, opening(session));
    } else if (message._tag === 'Next') answerTo(message.id, next(message.id));
    // What can't be closed would hold its place in the database: then the thread ends, and the next stream has a new one.
    else if (message._tag === 'End') void end(message.id);
    else void close();
  });
};

if (parentPort !== null && isStreamOptions(workerData)) {
  setPriority(PRIORITY);
  const signal = new CommitSignal();
  const opened = await openLogAndGenerations(workerData, signal);
  // It ends with the reason, which its other end tells to whoever asks.
  if (E.isLeft(opened)) throw new Error(opened.left);
  serveStreams(parentPort, opened.right, signal);
}
