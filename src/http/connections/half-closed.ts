import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { isForDeliveries } from '../deliveries-path.ts';

/** Whether it answers a delivery that is all there. */
const isOfDelivery = ({ req }: ServerResponse): boolean =>
  req.complete && req.method === 'POST' && isForDeliveries(req.url ?? '');

/**
 * Who closes their sending side and reads on can't be told from who has left. One who did so behind deliveries is answered,
 * since these are recorded either way: the connection stays until the last answer under way is sent, and ends then. All
 * others are taken to have left: what a question or a stream holds is free at once, and nothing more is made for them.
 */
export class HalfClosed {
  readonly #repliesOn: (socket: Duplex) => readonly ServerResponse[];

  /** @param repliesOn what is not finished on a connection, in the order of its requests */
  constructor(repliesOn: (socket: Duplex) => readonly ServerResponse[]) {
    this.#repliesOn = repliesOn;
  }

  /** Whether a connection that nothing more comes by stays until what is under way on it is answered: whole deliveries alone. */
  stays(socket: Duplex): boolean {
    const replies = this.#repliesOn(socket);
    return replies.length > 0 && replies.every(isOfDelivery);
  }

  /**
   * Node asks its server whether a connection may stay half open, in the moment in which nothing more comes by one: it is told
   * so for each right before, and ends the connection behind the last answer under way. That is the last of all: while
   * requests wait behind others the connection is not read, nor is its end (requests-behind.ts).
   */
  watch(server: Server, socket: Duplex): void {
    socket.prependListener('end', () => {
      const stays = this.stays(socket);
      // Not documented; where Node asks no longer, all connections end at once.
      Reflect.set(server, 'httpAllowHalfOpen', stays);
      const last = stays ? this.#repliesOn(socket).at(-1) : undefined;
      if (last?.headersSent === false) last.shouldKeepAlive = false;
    });
  }
}
