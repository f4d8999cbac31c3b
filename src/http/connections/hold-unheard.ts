import type { IncomingMessage } from 'node:http';
import { countBody, isOfManyReads } from './count-body.ts';
import type { HeldByPeers } from './held-by-peers.ts';
import { memoryOfRequest } from './memory-of-request.ts';
import { readLater } from './read-later.ts';

/**
 * The memory, in bytes, that all requests may take together that nobody has heard yet, those that wait at the front of their
 * connections and those behind others: as many deliveries of 2 KB as there may be connections, with their headers.
 */
export const MOST_UNHEARD_BYTES = 33_554_432;

/**
 * Counts a request that waits at the front of its connection, with what came of its body. Where others need the memory the
 * connection is cut off. Of a body that one read can't bring, nothing is read meanwhile but what came with its headers.
 *
 * @param all what all requests hold that nobody has heard
 * @returns called when the request is heard or gone: gives back what it held, and has its body read
 */
export const holdUnheard = (all: HeldByPeers, request: IncomingMessage): (() => void) => {
  const { socket } = request;
  const held = all.enter(socket.remoteAddress ?? '', () => socket.destroy());
  const readOn = isOfManyReads(request) ? readLater(socket) : null;
  const itself = memoryOfRequest(request);
  const body = countBody(request, (bytes) => all.holds(held, itself + bytes));
  all.holds(held, itself + body);
  return () => {
    all.leave(held);
    // One that is being ended is read no further for good.
    if (socket.writable) readOn?.();
  };
};
