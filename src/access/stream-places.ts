import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { FairPlaces } from '../concurrency/fair-places.ts';
import type { Overloaded } from '../queries/failure/query-failure.ts';
import type { Reader } from './reader.ts';

/** What is given for longer than a question takes. */
type StreamKind = Exclude<Overloaded['by'], 'questions' | 'imports'>;

/** A stream that is given to somebody. */
export type StreamPlace = {
  /** Aborted when its reader may read no more. */
  readonly revoked: AbortSignal;
  /** Gives the place to the next one; further calls do nothing. */
  readonly close: () => void;
};

/** How many streams there are at a time, shared out fairly by key, and for how long their readers may read. */
export type StreamPlaces = {
  readonly open: (kind: StreamKind, reader: Reader) => TE.TaskEither<Overloaded, StreamPlace>;
};

/**
 * A key alone gets half of them. A live stream holds a page of events; an export a read transaction and a batch of rows, in
 * one thread; a bank file up to 16 MiB while it comes and is read.
 */
const PLACES: Readonly<Record<StreamKind, number>> = { 'live streams': 128, exports: 8, 'bank files': 8 };
/** Exports come to an end: it is worth waiting for one. */
const WAIT_MS: Readonly<Record<StreamKind, number>> = { 'live streams': 0, exports: 5_000, 'bank files': 0 };
const LOOK_EVERY_MS = 500;

/** Looks at the readers of all open streams every now and then, as long as there are any. */
class Watch {
  readonly #everyMs: number;
  readonly #open = new Map<AbortController, Reader>();
  #timer: NodeJS.Timeout | null = null;

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  add(reader: Reader): AbortController {
    const revoked = new AbortController();
    this.#open.set(revoked, reader);
    this.#timer ??= setInterval(() => this.#look(), this.#everyMs).unref();
    return revoked;
  }

  /** Whether it was there. */
  remove(revoked: AbortController): boolean {
    const wasOpen = this.#open.delete(revoked);
    if (this.#open.size === 0 && this.#timer !== null) {
      clearInterval(this.#timer);
      this.#timer = null;
    }
    return wasOpen;
  }

  #look(): void {
    for (const [revoked, reader] of this.#open) if (!reader.mayRead()) revoked.abort();
  }
}

/** @param lookEveryMs how often it is looked whether readers may still read */
export const streamPlaces = (lookEveryMs = LOOK_EVERY_MS): StreamPlaces => {
  const places: Readonly<Record<StreamKind, FairPlaces>> = {
    'live streams': new FairPlaces(PLACES['live streams'], WAIT_MS['live streams']),
    exports: new FairPlaces(PLACES.exports, WAIT_MS.exports),
    'bank files': new FairPlaces(PLACES['bank files'], WAIT_MS['bank files']),
  };
  const watch = new Watch(lookEveryMs);
  return {
    open: (kind, reader) => async () => {
      if (!(await places[kind].take(reader.keyId))) return E.left({ _tag: 'Overloaded', by: kind });
      const revoked = watch.add(reader);
      return E.right({
        revoked: revoked.signal,
        close: () => {
          if (watch.remove(revoked)) places[kind].giveBack(reader.keyId);
        },
      });
    },
  };
};

/** Does work in a place, where there is one: nothing of it begins before. */
export const inPlace =
  <Failure, A>(
    places: StreamPlaces,
    kind: StreamKind,
    reader: Reader,
    work: TE.TaskEither<Failure, A>,
  ): TE.TaskEither<Failure | Overloaded, A> =>
  async () => {
    const place = await places.open(kind, reader)();
    if (E.isLeft(place)) return place;
    try {
      return await work();
    } finally {
      place.right.close();
    }
  };
