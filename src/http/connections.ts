import type { Duplex } from 'node:stream';
import { networkOf } from './peer-of.ts';

/** A connection, and the address that it comes from. */
type Connection = Duplex & { readonly remoteAddress?: string | undefined };

/** One peer, and its connections in the order in which they were opened. */
type Peer = { readonly address: string; readonly open: Set<Connection> };

/**
 * The connections that are open, so many at the most. Where there are too many, the eldest that nobody waits for an
 * answer on is closed, of the peer that has most: whoever opens connections and says nothing takes them from himself.
 * Of IPv6 a peer is a network.
 */
export class Connections {
  readonly #most: number;
  readonly #isWaitedFor: (socket: Duplex) => boolean;
  readonly #peers = new Map<string, Peer>();
  /** The peers that have so many: in a flood, looking for who has most must cost nothing. */
  readonly #byCount: Set<Peer>[] = [];
  #count = 0;

  /** @param isWaitedFor whether a whole request has come by a connection, and is not answered yet */
  constructor(most: number, isWaitedFor: (socket: Duplex) => boolean) {
    this.#most = most;
    this.#isWaitedFor = isWaitedFor;
  }

  /** Counts a new connection until it is closed, and closes one where they are too many now: itself at the worst. */
  add(socket: Connection): void {
    const address = networkOf(socket.remoteAddress ?? '');
    const peer = this.#peers.get(address) ?? { address, open: new Set() };
    this.#peers.set(address, peer);
    this.#recount(peer, () => peer.open.add(socket));
    this.#count += 1;
    socket.once('close', () => this.#remove(peer, socket));
    if (this.#count > this.#most) this.#closeOne(socket);
  }

  #remove(peer: Peer, socket: Connection): void {
    if (!peer.open.has(socket)) return;
    this.#recount(peer, () => peer.open.delete(socket));
    this.#count -= 1;
    if (peer.open.size === 0) this.#peers.delete(peer.address);
  }

  /** Moves a peer to those that have as many as it has after a change by one. */
  #recount(peer: Peer, change: () => unknown): void {
    this.#byCount[peer.open.size]?.delete(peer);
    change();
    const { size } = peer.open;
    const equals = this.#byCount[size] ?? new Set();
    this.#byCount[size] = equals;
    if (size > 0) equals.add(peer);
    while (this.#byCount.at(-1)?.size === 0) this.#byCount.pop();
  }

  #closeOne(newest: Connection): void {
    for (let count = this.#byCount.length - 1; count > 0; count -= 1) {
      for (const peer of this.#byCount[count] ?? []) {
        for (const socket of peer.open) {
          if (socket === newest || this.#isWaitedFor(socket)) continue;
          this.#remove(peer, socket);
          socket.destroy();
          return;
        }
      }
    }
    newest.destroy();
  }
}
