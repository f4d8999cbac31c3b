import { KnownPeers } from '../http/connections/known-peers.ts';
import { networkOf } from '../http/connections/peer-of.ts';

/** A body that is waited for; among those of its peer, in the order in which they began to come, once any of it came. */
type Waiting = {
  readonly address: string;
  readonly giveUp: () => void;
  peer: Peer | null;
  held: number;
  sinceMs: number;
  before: Waiting | null;
  behind: Waiting | null;
  hasLeft: boolean;
};

/** Those of one network: whoever has an address of IPv6 has many. */
type Peer = {
  readonly network: string;
  held: number;
  eldest: Waiting | null;
  newest: Waiting | null;
};

/** What does not count against a peer whose deliveries were proved, one part of so many: more than a provider sends at once. */
const FREE_PART = 8;

/** A body that has been coming for less may still be in the system's buffers, and is read when it is its turn. */
const SHORT_MS = 1_000;

/** Twice as many as there are connections. */
const MOST_PEERS = 8_192;

/**
 * The bodies that are not all there yet, and what is held of them, so many bytes at the most. Nothing is proved of them, and
 * whoever opens connections can have as many as he likes, so none is refused for want of room: the one that has been coming
 * for longest, of the peer of which most is held, is given up. Bytes are bounded, and not bodies: one of which nothing came
 * takes no more than its connection does, which is bounded by itself, and a provider that sends two thousand small ones at
 * once, each behind its headers, takes a few megabytes.
 *
 * Where hundreds of peers have a large one each, a provider with two would be the one of which most is held: what has been
 * coming for a second goes first where its peer has no small part, and a peer whose deliveries were proved has some free.
 *
 * Those of a peer are linked with each other, and not in a `Set`: one that is changed with every request makes a new table
 * every few requests, each of which V8 links to the one before it, with whatever that held. So requests that are long
 * answered would be copied, and looked through, as long as all old objects are not.
 */
export class UnreadBodies {
  readonly #most: number;
  readonly #now: () => number;
  readonly #peers = new Map<string, Peer>();
  readonly #known = new KnownPeers();
  #held = 0;

  /** @param most bytes that all may hold together */
  constructor(most: number, now: () => number = () => performance.now()) {
    this.#most = most;
    this.#now = now;
  }

  /**
   * Begins to wait for a body.
   *
   * @param address where the request came from
   * @param giveUp called where others need what it holds
   */
  enter(address: string, giveUp: () => void): Waiting {
    return { address, giveUp, peer: null, held: 0, sinceMs: 0, before: null, behind: null, hasLeft: false };
  }

  /** Says how many bytes are held of a body now, and gives up others, or itself, where they are too many together. */
  holds(own: Waiting, bytes: number): void {
    if (own.hasLeft) return;
    const peer = own.peer ?? this.#link(own);
    peer.held += bytes - own.held;
    this.#held += bytes - own.held;
    own.held = bytes;
    while (this.#held > this.#most) {
      const next = this.#nextToGo();
      if (next === null) return;
      this.leave(next);
      next.giveUp();
    }
  }

  /** Waits for a body no longer; more than once does nothing. */
  leave(own: Waiting): void {
    const { peer, before, behind } = own;
    own.hasLeft = true;
    if (peer === null) return;
    if (before === null) peer.eldest = behind;
    else before.behind = behind;
    if (behind === null) peer.newest = before;
    else behind.before = before;
    peer.held -= own.held;
    this.#held -= own.held;
    // It leads to no other one any more: it may be an old object that is garbage.
    own.peer = null;
    own.before = null;
    own.behind = null;
  }

  /** Says that a delivery from an address was proved. */
  proved(address: string): void {
    this.#known.add(networkOf(address));
  }

  #link(own: Waiting): Peer {
    const network = networkOf(own.address);
    const peer = this.#peers.get(network) ?? this.#newPeer(network);
    own.peer = peer;
    own.sinceMs = this.#now();
    own.before = peer.newest;
    if (peer.newest === null) peer.eldest = own;
    else peer.newest.behind = own;
    peer.newest = own;
    return peer;
  }

  /** Peers that wait for nothing are forgotten many at a time. */
  #newPeer(network: string): Peer {
    if (this.#peers.size >= MOST_PEERS) this.#forgetIdle();
    const peer: Peer = { network, held: 0, eldest: null, newest: null };
    this.#peers.set(network, peer);
    return peer;
  }

  #forgetIdle(): void {
    for (const { network, eldest } of this.#peers.values()) if (eldest === null) this.#peers.delete(network);
  }

  #nextToGo(): Waiting | null {
    this.#forgetIdle();
    const beganMs = this.#now() - SHORT_MS;
    const least = this.#held / this.#peers.size / 2;
    let [next, most]: [Waiting | null, number] = [null, -Infinity];
    for (const { network, held, eldest } of this.#peers.values()) {
      const counted = this.#known.has(network) ? held - this.#most / FREE_PART : held;
      const isLong = eldest !== null && eldest.sinceMs <= beganMs && counted >= least;
      // More than any that has been coming for a shorter time can have.
      const weight = isLong ? this.#held + counted : counted;
      if (weight > most) [next, most] = [eldest, weight];
    }
    return next;
  }
}
