import type * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { Position, Revision, StreamName } from '../domain/ids.ts';
import type { EventHeader, NewEvent, RecordedEvent } from '../domain/recorded-event.ts';

/** The revision that a stream must be at for an append: none (no such stream), or exactly this one. There is no "any". */
export type ExpectedRevision = Revision | 'none';

export type Appended = {
  /** Revision and position of the first event of the append; the others follow it. */
  readonly revision: Revision;
  readonly position: Position;
};

export type AppendError =
  /** The stream is elsewhere. Nothing was written; read again and decide again. */
  | { readonly _tag: 'WrongExpectedRevision'; readonly actual: ExpectedRevision }
  /** The store will never take these events there, however often it is asked: too large, malformed, or a stream that was deleted for good. */
  | AppendRefused
  /** Nothing is known to be durable: the store is away, full or failed, or its answer did not come. The identical append may be repeated. */
  | StoreUnavailable;

export type AppendRefused = { readonly _tag: 'AppendRefused'; readonly detail: string };

export type StoreUnavailable = {
  readonly _tag: 'StoreUnavailable';
  readonly detail: string;
  /**
   * Set where waiting does not mend it: the store refuses this user, pages of its file are not what was written, or another
   * ledger has it.
   */
  readonly reason?: 'AccessDenied' | 'Damaged' | 'InUse';
};

/** Whether it is an outage, which passes by itself: what the store refuses, or what is damaged, does not. */
export const isOutage = ({ reason }: StoreUnavailable): boolean => reason === undefined;

/** A position that this store can't have given, or that is beyond its head. */
export type UnknownPosition = { readonly _tag: 'UnknownPosition' };

/** Whether an append could succeed now; if not, why. */
export type Readiness =
  | { readonly ready: true }
  | { readonly ready: false; readonly detail: string; readonly reason?: StoreUnavailable['reason'] };

/** Events of a stream, oldest first, some at a time. A Left is the last piece. */
export type StreamPages = AsyncIterable<E.Either<StoreUnavailable, readonly RecordedEvent[]>>;

/**
 * The log of events, in the terms of EventStoreDB. Revisions count from 0 in each stream, positions grow along the whole log.
 *
 * `append` answers success only when its events are durable and are exactly these at that place. Repeated with the same
 * events and the same expected revision, after an unknown outcome say, it answers as the first time and writes nothing;
 * the same ids with other bytes are a `WrongExpectedRevision`.
 */
export type EventStore = {
  readonly append: (
    stream: StreamName,
    expected: ExpectedRevision,
    events: readonly [NewEvent, ...(readonly NewEvent[])],
  ) => TE.TaskEither<AppendError, Appended>;

  /** All events of a stream, oldest first; empty where there is no such stream. */
  readonly readStream: (stream: StreamName) => TE.TaskEither<StoreUnavailable, readonly RecordedEvent[]>;

  /** The same events some at a time, for whoever folds them and keeps none: a stream may have thousands. Reads on only as it is consumed. */
  readonly streamPages: (stream: StreamName) => StreamPages;

  /** The last event of a stream alone, for whoever decides by it: those before may be large. Null where there is no such stream. */
  readonly lastOfStream: (stream: StreamName) => TE.TaskEither<StoreUnavailable, RecordedEvent | null>;

  /** Names of the streams that begin so, in no order that one may rely on. */
  readonly listStreams: (prefix: string) => TE.TaskEither<StoreUnavailable, readonly StreamName[]>;

  /** Every event after a position (null: from the start) up to the head at the time of asking, in order. Reads on only as it is consumed. */
  readonly readAll: (after: Position | null) => AsyncIterable<E.Either<StoreUnavailable, RecordedEvent>>;

  /** The events at positions that the store has given, in the order of the positions; a position without one gives none. */
  readonly readAt: (positions: readonly Position[]) => TE.TaskEither<StoreUnavailable, readonly RecordedEvent[]>;

  /** The same without data, which may be hundreds of megabytes for some hundred events. */
  readonly headersAt: (positions: readonly Position[]) => TE.TaskEither<StoreUnavailable, readonly EventHeader[]>;

  /**
   * Every event after a position, then what is appended from then on, in batches that are never empty. Pulled by its
   * consumer: at most one batch is held. It ends when the signal is aborted, or after a Left, from which one resumes after
   * the last event that was handled.
   *
   * @param most events that the consumer would like in one batch where there are many; fewer may come
   */
  readonly subscribe: (
    after: Position | null,
    signal: AbortSignal,
    most?: number,
  ) => AsyncIterable<E.Either<StoreUnavailable, readonly RecordedEvent[]>>;

  /** The last position of now; null for an empty log. */
  readonly head: () => TE.TaskEither<StoreUnavailable, Position | null>;

  /** Reads a position that a caller sent. */
  readonly parsePosition: (text: string) => TE.TaskEither<UnknownPosition | StoreUnavailable, Position>;

  /** Whether an append could succeed now. */
  readonly readiness: () => Readiness;

  /** Waits for what is under way, then lets go of files, locks and connections. */
  readonly close: () => Promise<void>;
};
