import { KnownPeers } from './known-peers.ts';
import { NextToGo, unranked, type Ranked } from './next-to-go.ts';
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
type Peer = Ranked & {
  readonly network: string;
  isKnown: boolean;
  held: number;
  eldest: Held | null;
  newest: Held | null;
};

/** What does not count against a peer that proved who it is, one part of so many: more than a provider sends at once. */
const FREE_PART = 8;

/** Twice as many as there are connections; where more hold something, twice as many as these. */
const MOST_PEERS = 8_192;

/**
 * What is held for those who have proved nothing yet, so many bytes at the most: bodies that are not all there, requests that
 * wait behind others. Whoever opens connections can have as many of these as he likes, so none is refused for want of room:
 * what has been held for longest, of the peer for which most is held, is given up. Bytes are bounded, and not how many hold
 * them: a body of which nothing came takes no more than its connection does, which is bounded by itself, and a provider that
 * sends two thousand small ones at once, each behind its headers, takes a few megabytes.
 *
 * Where hundreds of peers have a large part each, a provider with two would be the one for which most is held: what has been
 * held for a second goes first where its peer has no small part (next-to-go.ts), and a peer that proved who it is has some
 * free, as long as it is remembered and anything is held for it.
 *
 * Those of a peer are linked with each other, and not in a `Set`: one that is changed with every request makes a new table
 * every few requests, each of which V8 links to the one before it, with whatever that held. So requests that are long
 * answered would be copied, and looked through, as long as all old objects are not.
 */
export class HeldByPeers {
  readonly #most: number;
  readonly #now: () => number;
  readonly #peers = new Map<string, Peer>();
  /** Those for which something is held. */
  readonly #holding = new NextToGo<Peer>();
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
    this.#add(peer, bytes - own.held);
    own.held = bytes;
    while (this.#held > this.#most) {
      const next = this.#holding.next(this.#now(), this.#held / this.#holding.size / 2)?.eldest ?? null;
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
    this.#add(peer, -own.held);
    if (peer.eldest === null) this.#holding.remove(peer);
    else if (before === null) this.#renew(peer, peer.eldest);
    // It leads to no other one any more: it may be an old object that is garbage.
    own.peer = null;
    own.before = null;
    own.behind = null;
  }

  /** Says that somebody proved who they are from an address. */
  proved(address: string): void {
    const network = networkOf(address);
    const peer = this.#known.add(network) ? this.#peers.get(network) : undefined;
    if (peer === undefined || peer.eldest === null) return;
    peer.isKnown = true;
    this.#add(peer, 0);
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
    if (peer.newest === null) this.#begin(peer, own);
    else peer.newest.behind = own;
    peer.newest = own;
    return peer;
  }

  /** Peers for which nothing is held are forgotten many at a time. */
  #newPeer(network: string): Peer {
    if (this.#peers.size >= Math.max(MOST_PEERS, 2 * this.#holding.size)) {
      for (const { network: idle, eldest } of this.#peers.values()) if (eldest === null) this.#peers.delete(idle);
    }
    const peer: Peer = { ...unranked(), network, isKnown: false, held: 0, eldest: null, newest: null };
    this.#peers.set(network, peer);
    return peer;
  }

  #begin(peer: Peer, own: Held): void {
    peer.eldest = own;
    peer.sinceMs = own.sinceMs;
    peer.isKnown = this.#known.has(peer.network);
    peer.counted = this.#counted(peer);
    this.#holding.add(peer);
  }

  #renew(peer: Peer, eldest: Held): void {
    peer.sinceMs = eldest.sinceMs;
    this.#holding.renewed(peer);
  }

  #add(peer: Peer, bytes: number): void {
    peer.held += bytes;
    this.#held += bytes;
    peer.counted = this.#counted(peer);
    this.#holding.resized(peer);
  }

  #counted({ held, isKnown }: Peer): number {
    return isKnown ? held - this.#most / FREE_PART : held;
  }
}
