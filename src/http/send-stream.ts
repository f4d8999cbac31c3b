import type { ServerResponse } from 'node:http';
import * as E from 'fp-ts/lib/Either.js';
import { ReaderPatience, type ReaderPace } from './connections/reader-patience.ts';

/** A reply that is made while it is read. */
export type StreamedBody<Failure> = {
  /**
   * Its bytes in order. A Left is the last piece, and the connection is then cut. The signal is aborted when nobody
   * reads any more, or may.
   */
  readonly pieces: (gone: AbortSignal) => AsyncIterable<E.Either<Failure, Uint8Array>>;
  /** Releases what the rest would need; called once, however it ends. */
  readonly close: () => Promise<void>;
  /** A reader that is slower is cut off. */
  readonly pace: ReaderPace;
  /** Aborted when its reader may read no more. */
  readonly revoked: AbortSignal;
  /** Whether what came before such an end is worth something by itself, as events are, or must not be taken for the whole, as half a file. */
  readonly halves: 'good' | 'bad';
};

/** Why a reader did not get all that there was: the reason is for operators. */
export type CutOff = { readonly _tag: 'CutOff'; readonly reason: string };

/** The connection ended before the whole was read, of which whoever watches connections tells. */
export type Left = { readonly _tag: 'Left' };

const LEFT: Left = { _tag: 'Left' };

const REVOKED: CutOff = { _tag: 'CutOff', reason: 'the key or session of its reader is no longer valid' };

const tooSlow = ({ patienceMs, bytesPerSecond }: ReaderPace): CutOff => ({
  _tag: 'CutOff',
  reason: `its reader took less than ${bytesPerSecond} bytes a second for ${patienceMs / 1_000} s in all`,
});

/** Whether the reader took what was written, left, may not read any more, or is too slow. */
type Taking = 'took' | 'left' | 'revoked' | 'too slow';

/**
 * Waits for the reader to take what was written, as `taken` tells. A signal for each piece, made of others, would be garbage
 * that is costly to collect.
 */
const taking = (
  response: ServerResponse,
  left: AbortSignal,
  revoked: AbortSignal,
  patience: ReaderPatience,
  taken: 'drain' | 'finish',
): Promise<Taking> =>
  new Promise((resolve) => {
    if (left.aborted || revoked.aborted) {
      resolve(left.aborted ? 'left' : 'revoked');
      return;
    }
    const since = performance.now();
    const end = (how: Taking): void => {
      clearTimeout(timer);
      response.off(taken, onTaken);
      left.removeEventListener('abort', onLeft);
      revoked.removeEventListener('abort', onRevoked);
      patience.waited(performance.now() - since);
      resolve(how);
    };
    const onTaken = (): void => end('took');
    const onLeft = (): void => end('left');
    const onRevoked = (): void => end('revoked');
    const timer = setTimeout(() => end('too slow'), Math.ceil(patience.leftMs));
    response.on(taken, onTaken);
    left.addEventListener('abort', onLeft);
    revoked.addEventListener('abort', onRevoked);
  });

/**
 * Sends the pieces as fast as the reader takes them: no more than one of them waits here. A failure on the way cuts the
 * connection, so that nobody takes what came for all of it, and is answered for the log, as is the reason why a reader
 * was cut off. Of what is worth nothing by halves the last bytes are waited for too: null says that all of it left.
 */
export const sendStream = async <Failure>(
  response: ServerResponse,
  body: StreamedBody<Failure>,
): Promise<Failure | CutOff | Left | null> => {
  const closed = new AbortController();
  const { signal: left } = closed;
  const { revoked, pace, halves } = body;
  // Who left while this was made is told of no more.
  if (response.destroyed) closed.abort();
  else response.once('close', () => closed.abort());
  const patience = new ReaderPatience(pace);
  const taken = (by: 'drain' | 'finish'): Promise<Taking> => taking(response, left, revoked, patience, by);
  // Whoever leaves a stream of events has had all that they came for.
  const gone = (): Left | null => (halves === 'bad' ? LEFT : null);
  const ended = (how: Exclude<Taking, 'took'>): CutOff | Left | null => {
    response.destroy();
    if (how === 'revoked') return REVOKED;
    return how === 'too slow' ? tooSlow(pace) : gone();
  };
  try {
    response.flushHeaders();
    for await (const piece of body.pieces(AbortSignal.any([left, revoked]))) {
      if (revoked.aborted) break;
      if (E.isLeft(piece)) {
        response.destroy();
        return piece.left;
      }
      const took = response.write(piece.right) ? 'took' : await taken('drain');
      if (took !== 'took') return ended(took);
      if (response.destroyed) return gone();
      patience.took(piece.right.length);
    }
    if (left.aborted) return gone();
    if (halves === 'good') {
      response.end();
      return revoked.aborted ? REVOKED : null;
    }
    if (revoked.aborted) return ended('revoked');
    response.end();
    const took = response.writableFinished ? 'took' : await taken('finish');
    return took === 'took' ? null : ended(took);
  } finally {
    await body.close();
  }
};
