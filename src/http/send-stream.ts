import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import * as E from 'fp-ts/lib/Either.js';

/** A reply that is made while it is read. */
export type StreamedBody<Failure> = {
  /**
   * Its bytes in order. A Left is the last piece, and the connection is then cut. The signal is aborted when nobody
   * reads any more.
   */
  readonly pieces: (gone: AbortSignal) => AsyncIterable<E.Either<Failure, Uint8Array>>;
  /** Releases what the rest would need; called once, however it ends. */
  readonly close: () => Promise<void>;
  /** A reader that takes nothing for so long is cut off, in ms. */
  readonly stallMs: number;
};

const waitForReader = async (response: ServerResponse, gone: AbortSignal, stallMs: number): Promise<void> => {
  const enough = AbortSignal.any([gone, AbortSignal.timeout(stallMs)]);
  await once(response, 'drain', { signal: enough }).catch(() => response.destroy());
};

/**
 * Sends the pieces as fast as the reader takes them: no more than one of them waits here. A failure on the way cuts the
 * connection, so that nobody takes what came for all of it, and is answered for the log.
 */
export const sendStream = async <Failure>(
  response: ServerResponse,
  body: StreamedBody<Failure>,
): Promise<Failure | null> => {
  const closed = new AbortController();
  const { signal: gone } = closed;
  response.once('close', () => closed.abort());
  try {
    response.flushHeaders();
    for await (const piece of body.pieces(gone)) {
      if (E.isLeft(piece)) {
        response.destroy();
        return piece.left;
      }
      if (!response.write(piece.right)) await waitForReader(response, gone, body.stallMs);
      if (response.destroyed) return null;
    }
    response.end();
    return null;
  } finally {
    await body.close();
  }
};
