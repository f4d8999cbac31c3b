import type { RequestListener } from 'node:http';
import type { Duplex } from 'node:stream';

/** Requests that may wait on one connection; hardly any client sends a second one before the first is answered. */
const MOST_WAITING = 32;

/**
 * Hears the requests of each connection one after the other: the next when the answer to the one before is sent, and others
 * have had their turn. A connection that sends on and on without waiting takes no more of the thread, nor of memory,
 * than one that waits; one with more requests waiting than may be is cut off.
 */
export const inTurn = (listener: RequestListener): RequestListener => {
  /** What waits behind the request that is heard now, by connection. */
  const waiting = new WeakMap<Duplex, (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    const hear = (behind: (() => void)[]): void => {
      response.once('close', () => {
        if (behind.length === 0) waiting.delete(socket);
        else if (!socket.destroyed) setImmediate(() => behind.shift()?.());
      });
      listener(request, response);
    };
    const behind = waiting.get(socket);
    // All requests of one packet are read before the connection is let go of.
    if (socket.destroyed) return;
    if (behind === undefined) {
      const none: (() => void)[] = [];
      waiting.set(socket, none);
      hear(none);
    } else if (behind.length === MOST_WAITING) {
      socket.destroy();
    } else {
      behind.push(() => hear(behind));
    }
  };
};
