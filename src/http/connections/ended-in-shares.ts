import type { Duplex } from 'node:stream';
import { BegunInShares, type Share } from '../../concurrency/share-of-turn.ts';
import { connectionsBeside } from './new-connections.ts';

const SHARE: Share = { ms: 2, begun: 32 };
const AT_ONCE = 4;

/**
 * Ends connections, so many in each turn of the loop that it stays short: whoever opens thousands may have all of them
 * late in the moment in which Node looks, or have each send more than it may.
 */
export class EndedInShares {
  readonly #end: (socket: Duplex) => void;
  readonly #toEnd = new Set<Duplex>();
  #connections: ReturnType<typeof connectionsBeside> = null;
  readonly #shares = new BegunInShares(SHARE, AT_ONCE, this, () => this.#connections?.keepComing === true);

  /** @param end closes a connection, with an answer or without */
  constructor(end: (socket: Duplex) => void) {
    this.#end = end;
  }

  /** How many wait to be ended. */
  get size(): number {
    return this.#toEnd.size;
  }

  /** A connection that is to be ended; nothing more of it is read. */
  came(socket: Duplex): void {
    if (this.#toEnd.has(socket)) return;
    this.#connections = connectionsBeside(socket);
    if (this.#shares.beginsNow()) {
      this.#end(socket);
      return;
    }
    // What comes now would be heard, and the answer to it be taken for another one.
    socket.pause();
    this.#toEnd.add(socket);
  }

  /** Ends the one that has waited longest, if there is any. */
  beginOne(): void {
    const [socket] = this.#toEnd;
    if (socket === undefined) return;
    this.#toEnd.delete(socket);
    this.#end(socket);
  }
}
