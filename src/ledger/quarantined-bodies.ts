import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { bodyOfQuarantineStream, QUARANTINE_STREAM, type Sha256, type StreamName } from '../domain/ids.ts';
import type { EventStore, StoreUnavailable } from '../event-store/event-store.ts';

/**
 * Digests of all bodies that have a quarantine stream, released ones too. A delivery whose body is among them may be a
 * release: an earlier version of the ledger may have quarantined what today's rules can read. Kept in memory, so that a
 * delivery need not ask the store.
 */
export type QuarantinedBodies = { readonly has: (body: Sha256) => boolean; readonly add: (body: Sha256) => unknown };

/**
 * The bodies in a store's quarantine: those that were there when they were read, and those that came to be known since. It
 * is made before the store is opened, so that it can be told of all that the store shows.
 */
export class KnownQuarantine {
  readonly #bodies = new Set<Sha256>();
  readonly #known: QuarantinedBodies = {
    // Empty, as nearly always, it is not asked: V8 first puts a text that is new to it among all texts of the thread.
    has: (body) => this.#bodies.size > 0 && this.#bodies.has(body),
    add: (body) => this.#bodies.add(body),
  };
  #isRead = false;
  #loading: Promise<E.Either<StoreUnavailable, QuarantinedBodies>> | null = null;
  /** Resolves as soon as `saw` is told of everything that others write; null while it is told. */
  #followed: PromiseWithResolvers<void> | null = null;

  /** What is known; null until the quarantine was read once, and while it is not followed. */
  get bodies(): QuarantinedBodies | null {
    return this.#isRead && this.#followed === null ? this.#known : null;
  }

  /** Says whether `saw` is told of everything that others write. Until it is called for the first time, that is assumed. */
  readonly follow = (isFollowed: boolean): void => {
    if (!isFollowed) this.#followed ??= Promise.withResolvers();
    else {
      this.#followed?.resolve();
      this.#followed = null;
    }
  };

  /** Takes note of streams that others wrote to; those that are no quarantine's change nothing. */
  readonly saw = (streams: Iterable<StreamName>): void => {
    for (const stream of streams) {
      const body = bodyOfQuarantineStream(stream);
      if (body !== null) this.#bodies.add(body);
    }
  };

  /**
   * Reads the quarantine once, for everybody who asks meanwhile; after a failure the next who asks tries again. It waits
   * until `saw` is told of what others write: else what they write between the two would never be known.
   */
  readonly load =
    (store: Pick<EventStore, 'listStreams'>): TE.TaskEither<StoreUnavailable, QuarantinedBodies> =>
    async () => {
      await this.#followed?.promise;
      this.#loading ??= this.#read(store);
      const loaded = await this.#loading;
      if (E.isLeft(loaded)) this.#loading = null;
      return loaded;
    };

  async #read(store: Pick<EventStore, 'listStreams'>): Promise<E.Either<StoreUnavailable, QuarantinedBodies>> {
    const streams = await store.listStreams(QUARANTINE_STREAM)();
    if (E.isLeft(streams)) return streams;
    this.saw(streams.right);
    this.#isRead = true;
    return E.right(this.#bodies);
  }
}
