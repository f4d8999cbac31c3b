import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { HeldByPeers } from './held-by-peers.ts';
import { mayHaveMoreBody, memoryOfBody, memoryOfRequest } from './memory-of-request.ts';
import { readLater } from './read-later.ts';

/**
 * The memory, in bytes, that all requests may take together that nobody has heard yet, those that wait at the front of their
 * connections and those behind others: as many deliveries of 2 KB as there may be connections, with their headers.
 */
export const MOST_UNHEARD_BYTES = 33_554_432;

/** A connection, and the address that it comes from. */
type Connection = Duplex & { readonly remoteAddress?: string | undefined };

/** What is looked at of a request that waits. */
type Waiting = Pick<IncomingMessage, 'url' | 'rawHeaders' | 'headers'> & { readonly socket: Connection };

/**
 * Counts a request that waits at the front of its connection, its body with it. Where others need the memory the connection
 * is cut off. Of a body that may be larger than what is counted of it, nothing is read meanwhile but what came with its headers.
 *
 * @param all what all requests hold that nobody has heard
 * @returns called when the request is heard or gone: gives back what it held, and has its body read
 */
export const holdUnheard = (all: HeldByPeers, request: Waiting): (() => void) => {
  const { socket } = request;
  const held = all.enter(socket.remoteAddress ?? '', () => socket.destroy());
  const readOn = mayHaveMoreBody(request) ? readLater(socket) : null;
  all.holds(held, memoryOfRequest(request) + memoryOfBody(request));
  return () => {
    all.leave(held);
    // One that is being ended is read no further for good.
    if (socket.writable) readOn?.();
  };
};
