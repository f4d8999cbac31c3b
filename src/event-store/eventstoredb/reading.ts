import * as E from 'fp-ts/lib/Either.js';
import { storeFailure, type StoreFailure } from './store-failure.ts';

/** A read or subscription of the client. */
export type Source<A> = AsyncIterable<A> & {
  readonly readableLength: number;
  readonly destroyed: boolean;
  readonly destroy: () => unknown;
  readonly on: (event: 'error', listener: (error: Error) => void) => unknown;
  readonly cancel: () => Promise<void>;
};

export type ReadOptions = {
  /**
   * Milliseconds without a word after which the read is given up: the client sets reads no deadline. Null for a
   * subscription that goes on for ever, where silence is usual, and a dead server is noticed by keep-alive.
   */
  readonly quietMs: number | null;
  /** Words of the server that are no events, checkpoints say: how many there were. */
  readonly heard?: () => number;
  /** Whether the client was disposed of: that ends its calls without an error, and what was read is not all. */
  readonly isClosed: () => boolean;
  /** Ends the read without an error. */
  readonly signal?: AbortSignal;
  /** Settles once no more is wanted than what has arrived by then: that is still given, and then the read ends. */
  readonly enough?: Promise<void>;
  /** Told once all that had arrived when `at` settled was given, and was dealt with. */
  readonly level?: { readonly at: Promise<void>; readonly onReached: () => void };
};

const MOST_AT_ONCE = 512;

const CLOSED: StoreFailure = { _tag: 'Unavailable', detail: 'it is closed' };
const TOO_QUIET: StoreFailure = { _tag: 'TooLate', detail: 'no answer to a read in time' };

/**
 * What a read gives, in batches of what is there, until its end, a Left, or the signal. However it is left, its call is
 * cancelled: a read that was just left would keep its call open until the client is disposed of (facts, The client).
 */
export async function* batchesOf<A>(
  open: () => Source<A>,
  { quietMs, heard = () => 0, isClosed, signal, enough, level }: ReadOptions,
): AsyncGenerator<E.Either<StoreFailure, readonly A[]>, void, undefined> {
  const isAborted = (): boolean => signal?.aborted === true;
  if (isAborted()) return;
  if (isClosed()) {
    yield E.left(CLOSED);
    return;
  }
  const source = open();
  let [quiet, words, isQuiet, isBusy, isDone] = [0, 0, false, false, false];
  let [given, dealtWith] = [0, 0];
  // A stream whose error nobody listens to ends the process; it may come after the reading is over.
  source.on('error', () => undefined);
  const stop = (): void => void source.destroy();
  const end = (): void => {
    isDone = true;
    stop();
  };
  let marks: { readonly upTo: number; readonly onReached: () => void }[] = [];
  const look = (): void => {
    const reached = marks.filter(({ upTo }) => upTo <= dealtWith);
    marks = marks.filter(({ upTo }) => upTo > dealtWith);
    for (const { onReached } of reached) onReached();
  };
  const mark = async (at: Promise<void>, onReached: () => void): Promise<void> => {
    await at;
    // What left the buffer in this turn is counted by the next one.
    await new Promise(setImmediate);
    marks.push({ upTo: given + source.readableLength, onReached });
    look();
  };
  if (enough !== undefined) void mark(enough, end);
  if (level !== undefined) void mark(level.at, level.onReached);
  signal?.addEventListener('abort', stop, { once: true });
  const watch =
    quietMs === null
      ? undefined
      : setInterval(() => {
          // The consumer's time is not the server's.
          quiet = isBusy || heard() > words ? 0 : quiet + 1;
          words = heard();
          isQuiet = quiet > 1;
          if (isQuiet) stop();
        }, quietMs / 2);
  try {
    let batch: A[] = [];
    for await (const item of source) {
      quiet = 0;
      given += 1;
      if (batch.push(item) < MOST_AT_ONCE && source.readableLength > 0) continue;
      isBusy = true;
      yield E.right(batch);
      isBusy = false;
      quiet = 0;
      dealtWith += batch.length;
      batch = [];
      look();
    }
    if (isClosed() && !isDone && !isAborted()) yield E.left(CLOSED);
  } catch (error) {
    if (!isDone && !isAborted()) yield E.left(isQuiet ? TOO_QUIET : storeFailure(error));
  } finally {
    clearInterval(watch);
    signal?.removeEventListener('abort', stop);
    // A call that never came about can't be cancelled: its failure was told above.
    void source.cancel().catch(() => undefined);
  }
}
