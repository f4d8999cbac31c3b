import type { IncomingMessage } from 'node:http';
import type { SmallChunks } from './small-chunks.ts';

/** A body in chunks, as far as it came. `isHeld`: it is not read until others had their turn. */
export type PacedBody = {
  readonly request: IncomingMessage;
  readonly chunks: number;
  readonly bytes: number;
  readonly isRefused: boolean;
  isHeld: boolean;
};

const nothing = (): void => undefined;

/**
 * Paces bodies that come in small chunks: where all of them have taken more than there are, none of which a chunk comes is
 * read further until as many have come again. Its sender waits meanwhile, as for a slow network.
 *
 * @param small of all such bodies together
 */
export const paced = (small: SmallChunks): ((body: PacedBody) => void) => {
  const release = (body: PacedBody): void => {
    const owedMs = small.owedMs();
    if (owedMs > 0) {
      setTimeout(() => release(body), owedMs);
      return;
    }
    body.isHeld = false;
    const { request, isRefused } = body;
    Reflect.deleteProperty(request, '_read');
    // The connection may be another request's by now, or be paused for good.
    if (!request.complete && !isRefused) request._read(0);
  };
  return (body) => {
    small.take(body.chunks, body.bytes);
    if (body.isHeld || small.owedMs() === 0) return;
    body.isHeld = true;
    body.request.socket.pause();
    // Whoever reads the body would have the connection read on at once.
    body.request._read = nothing;
    setTimeout(() => release(body), 1);
  };
};
