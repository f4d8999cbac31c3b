import type { RequestListener } from 'node:http';
import type { Duplex } from 'node:stream';

/** Requests that may wait on one connection; hardly any client sends a second one before the first is answered. */
const MOST_WAITING = 32;

/** Whether a request of a connection is heard now, and what waits behind it. */
type Turns = { isBusy: boolean; readonly behind: (() => void)[] };

/**
 * Hears the requests of each connection one after the other: the next when the answer to the one before is sent, and others
 * have had their turn. A connection that sends on and on without waiting takes no more of the thread, nor of memory,
 * than one that waits; one with more requests waiting than may be is cut off.
 */
export const inTurn = (listener: RequestListener): RequestListener => {
  const connections = new WeakMap<Duplex, Turns>();
  return (request, response) => {
    const { socket } = request;
    // All requests of one packet are read before the connection is let go of.
    if (socket.destroyed) return;
    const turns = connections.get(socket) ?? { isBusy: false, behind: [] };
    const hear = (): void => {
      turns.isBusy = true;
      response.once('close', () => {
        turns.isBusy = turns.behind.length > 0;
        if (turns.isBusy && !socket.destroyed) setImmediate(() => turns.behind.shift()?.());
      });
      listener(request, response);
    };
    connections.set(socket, turns);
    if (!turns.isBusy) hear();
    else if (turns.behind.length === MOST_WAITING) socket.destroy();
    else turns.behind.push(hear);
  };
};
