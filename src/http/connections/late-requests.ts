import type { Duplex } from 'node:stream';
import { BegunInShares, type Share } from '../../concurrency/share-of-turn.ts';

const SHARE: Share = { ms: 2, begun: 32 };
const AT_ONCE = 4;

/**
 * Ends connections whose request was not there in time, so many in each turn of the loop that it stays short: Node looks
 * once a second, and whoever opens thousands in one moment has all of them late in one.
 */
export class LateRequests {
  readonly #end: (socket: Duplex) => void;
  readonly #late = new Set<Duplex>();
  readonly #shares = new BegunInShares(SHARE, AT_ONCE, this);

  /** @param end answers and closes a connection */
  constructor(end: (socket: Duplex) => void) {
    this.#end = end;
  }

  /** How many wait to be ended. */
  get size(): number {
    return this.#late.size;
  }

  /** A connection whose request is late; nothing more of it is read. */
  came(socket: Duplex): void {
    if (this.#late.has(socket)) return;
    if (this.#shares.beginsNow()) {
      this.#end(socket);
      return;
    }
    // What comes now would be heard, and the answer to it be taken for another one.
    socket.pause();
    this.#late.add(socket);
  }

  /** Ends the one that has waited longest, if there is any. */
  beginOne(): void {
    const [socket] = this.#late;
    if (socket === undefined) return;
    this.#late.delete(socket);
    this.#end(socket);
  }
}
