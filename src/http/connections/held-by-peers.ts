import { KnownPeers } from './known-peers.ts';
import { networkOf } from './peer-of.ts';

/** What somebody holds; among those of its peer, in the order in which they began to hold anything. */
type Held = {
  readonly address: string;
  readonly giveUp: () => void;
  peer: Peer | null;
  held: number;
  sinceMs: number;
  before: Held | null;
  behind: Held | null;
  hasLeft: boolean;
};

/** Those of one network: whoever has an address of IPv6 has many. */
type Peer = {
  readonly network: string;
  held: number;
  eldest: Held | null;
  newest: Held | null;
};

/** What does not count against a peer that proved who it is, one part of so many: more than a provider sends at once. */
const FREE_PART = 8;

/** What is held for less may be given back in the next turns: the rest of a body may still be in the system's buffers. */
const SHORT_MS = 1_000;

/** Twice as many as there are connections. */
const MOST_PEERS = 8_192;

/**
 * What is held for those who have proved nothing yet, so many bytes at the most: bodies that are not all there, requests that
 * wait behind others. Whoever opens connections can have as many of these as he likes, so none is refused for want of room:
 * what has been held for longest, of the peer for which most is held, is given up. Bytes are bounded, and not how many hold
 * them: a body of which nothing came takes no more than its connection does, which is bounded by itself, and a provider that
 * sends two thousand small ones at once, each behind its headers, takes a few megabytes.
 *
 * Where hundreds of peers have a large part each, a provider with two would be the one for which most is held: what has been
 * held for a second goes first where its peer has no small part, and a peer that proved who it is has some free.
 *
 * Those of a peer are linked with each other, and not in a `Set`: one that is changed with every request makes a new table
 * every few requests, each of which V8 links to the one before it, with whatever that held. So requests that are long
 * answered would be copied, and looked through, as long as all old objects are not.
 */
export class HeldByPeers {
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

  /** Bytes that more may be held of before anything is given up. */
  get left(): number {
    return Math.max(0, this.#most - this.#held);
  }

  /**
   * One that may hold something from now on.
   *
   * @param address where the request came from
   * @param giveUp called where others need what it holds
   */
  enter(address: string, giveUp: () => void): Held {
    return { address, giveUp, peer: null, held: 0, sinceMs: 0, before: null, behind: null, hasLeft: false };
  }

  /** Says how many bytes one holds now, and gives up others, or itself, where they are too many together. */
  holds(own: Held, bytes: number): void {
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

  /** It holds nothing any more; more than once does nothing. */
  leave(own: Held): void {
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

  /** Says that somebody proved who they are from an address. */
  proved(address: string): void {
    this.#known.add(networkOf(address));
  }

  /** Whether somebody did, lately enough to be remembered. */
  isKnown(address: string): boolean {
    return this.#known.has(networkOf(address));
  }

  #link(own: Held): Peer {
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

  /** Peers for which nothing is held are forgotten many at a time. */
  #newPeer(network: string): Peer {
    if (this.#peers.size >= MOST_PEERS) this.#forgetIdle();
    const peer: Peer = { network, held: 0, eldest: null, newest: null };
    this.#peers.set(network, peer);
    return peer;
  }

  #forgetIdle(): void {
    for (const { network, eldest } of this.#peers.values()) if (eldest === null) this.#peers.delete(network);
  }

  #nextToGo(): Held | null {
    this.#forgetIdle();
    const beganMs = this.#now() - SHORT_MS;
    const least = this.#held / this.#peers.size / 2;
    let [next, most]: [Held | null, number] = [null, -Infinity];
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
