import type { RequestListener } from 'node:http';
import type { Duplex } from 'node:stream';
import type { HeldByPeers } from './held-by-peers.ts';
import { RequestsBehind } from './requests-behind.ts';

/** Whether a request of a connection is heard now, and what waits behind it; null where nothing ever did. */
type Turns = { isBusy: boolean; behind: RequestsBehind | null };

/**
 * Hears the requests of each connection one after the other: the next when the answer to the one before is sent, and others
 * have had their turn. A connection that sends on and on without waiting takes no more of the thread, nor of memory,
 * than one that waits, and all of them together take no more than there is for them: who holds most of it is cut off.
 *
 * @param all what all requests hold that wait, here or elsewhere
 * @param isKnown whether the peer of a connection has proved who it is, by this one or another
 */
export const inTurn = (
  all: HeldByPeers,
  isKnown: (socket: Duplex) => boolean,
  listener: RequestListener,
): RequestListener => {
  const connections = new WeakMap<Duplex, Turns>();
  const begin = (socket: Duplex): Turns => {
    const turns: Turns = { isBusy: false, behind: null };
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
        turns.isBusy = turns.behind !== null && turns.behind.size > 0;
        if (turns.isBusy && socket.writable) setImmediate(() => turns.behind?.beginOne());
      });
      listener(request, response);
    };
    if (!turns.isBusy) {
      hear();
      return;
    }
    turns.behind ??= new RequestsBehind(socket, all, isKnown);
    turns.behind.add(request, hear);
  };
};
