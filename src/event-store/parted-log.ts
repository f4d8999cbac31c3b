import type * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { Position, StreamName } from '../domain/ids.ts';
import type { EventHeader, RecordedEvent } from '../domain/recorded-event.ts';
import type { StoreUnavailable } from './event-store.ts';

/** A stream with all of its events up to some position, oldest first, as `readStream` gives them. */
export type StreamEvents = { readonly stream: StreamName; readonly events: readonly RecordedEvent[] };

export type StreamPart = {
  readonly streams: readonly StreamEvents[];
  /** Events that `readStream` of their own stream does not give: the store is damaged, or was changed by hand. */
  readonly strays: readonly RecordedEvent[];
};

/**
 * A log that can be read in ways that only a local store has: stream by stream, and without data. What reads millions of
 * events reads it so; of a store on another machine a local copy is made first.
 */
export type PartedLog = {
  /** The headers of every event after a position (null: from the start) up to another, in order, in pages that are never empty. */
  readonly readHeaders: (
    after: Position | null,
    upTo: Position,
  ) => AsyncIterable<E.Either<StoreUnavailable, readonly EventHeader[]>>;

  /** Into how many parts `readPart` splits the streams that there are now; later streams make further parts. */
  readonly streamParts: () => TE.TaskEither<StoreUnavailable, number>;

  /**
   * The streams of one part, from 0: the fastest way to read the log where only the order within each stream matters.
   * Every stream is in exactly one part, and part by part they come in the order of their first events: by it orders are numbered.
   */
  readonly readPart: (part: number, upTo: Position) => TE.TaskEither<StoreUnavailable, readonly StreamEvents[]>;

  /** As `readPart`, and which events are not where their stream's name leads to: for `verify`, since that costs a look-up of each name. */
  readonly readPartAndStrays: (part: number, upTo: Position) => TE.TaskEither<StoreUnavailable, StreamPart>;
};
