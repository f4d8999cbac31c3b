import type { Duplex } from 'node:stream';

/** A connection, and the address that it comes from. */
type Connection = Duplex & { readonly remoteAddress?: string | undefined };

/**
 * The connections that are open, so many at the most. Where there are too many, the eldest that nobody waits for an
 * answer on is closed, of the peer that has most: whoever opens connections and says nothing takes them from himself.
 */
export class Connections {
  readonly #most: number;
  readonly #isWaitedFor: (socket: Duplex) => boolean;
  /** In the order in which they were opened. */
  readonly #byPeer = new Map<string, Set<Connection>>();
  #count = 0;

  /** @param isWaitedFor whether a whole request has come by a connection, and is not answered yet */
  constructor(most: number, isWaitedFor: (socket: Duplex) => boolean) {
    this.#most = most;
    this.#isWaitedFor = isWaitedFor;
  }

  /** Counts a new connection until it is closed, and closes one where they are too many now: itself at the worst. */
  add(socket: Connection): void {
    const peer = socket.remoteAddress ?? '';
    const ofPeer = this.#byPeer.get(peer) ?? new Set();
    this.#byPeer.set(peer, ofPeer.add(socket));
    this.#count += 1;
    socket.once('close', () => this.#remove(peer, socket));
    if (this.#count > this.#most) this.#closeOne(socket);
  }

  #remove(peer: string, socket: Connection): void {
    const ofPeer = this.#byPeer.get(peer);
    if (ofPeer?.delete(socket) !== true) return;
    this.#count -= 1;
    if (ofPeer.size === 0) this.#byPeer.delete(peer);
  }

  #closeOne(newest: Connection): void {
    const peers = [...this.#byPeer].toSorted(([, a], [, b]) => b.size - a.size);
    for (const [peer, ofPeer] of peers) {
      for (const socket of ofPeer) {
        if (socket === newest || this.#isWaitedFor(socket)) continue;
        this.#remove(peer, socket);
        socket.destroy();
        return;
      }
    }
    newest.destroy();
  }
}
