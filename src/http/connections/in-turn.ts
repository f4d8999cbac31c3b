import type { IncomingMessage, RequestListener } from 'node:http';
import type { Duplex } from 'node:stream';

/** Requests that may wait on one connection; hardly any client sends a second one before the first is answered. */
const MOST_WAITING = 32;

/** What their headers may take together. */
const MOST_WAITING_BYTES = 65_536;

/** Whether a request of a connection is heard now, what waits behind it, and how much that takes. */
type Turns = { isBusy: boolean; readonly behind: (() => void)[]; bytes: number };

/** The headers of a request, which is what is kept of it while it waits. */
const sizeOf = ({ url = '', rawHeaders }: IncomingMessage): number => {
  let size = url.length;
  for (const text of rawHeaders) size += text.length;
  return size;
};

/**
 * Hears the requests of each connection one after the other: the next when the answer to the one before is sent, and others
 * have had their turn. A connection that sends on and on without waiting takes no more of the thread, nor of memory,
 * than one that waits; one with more waiting than may be is cut off.
 */
export const inTurn = (listener: RequestListener): RequestListener => {
  const connections = new WeakMap<Duplex, Turns>();
  const begin = (socket: Duplex): Turns => {
    const turns: Turns = { isBusy: false, behind: [], bytes: 0 };
    connections.set(socket, turns);
    return turns;
  };
  return (request, response) => {
    const { socket } = request;
    // All requests of one packet are read before the connection is let go of. Behind its last answer none is heard: nobody
    // could be answered, and where the one before ended may be in doubt.
    if (!socket.writable) return;
    const turns = connections.get(socket) ?? begin(socket);
    const hear = (): void => {
      turns.isBusy = true;
      response.on('close', () => {
        turns.isBusy = turns.behind.length > 0;
        if (turns.isBusy && socket.writable) setImmediate(() => turns.behind.shift()?.());
      });
      listener(request, response);
    };
    if (!turns.isBusy) {
      hear();
      return;
    }
    const size = sizeOf(request);
    turns.bytes += size;
    if (turns.behind.length === MOST_WAITING || turns.bytes > MOST_WAITING_BYTES) socket.destroy();
    else {
      turns.behind.push(() => {
        turns.bytes -= size;
        hear();
      });
    }
  };
};
