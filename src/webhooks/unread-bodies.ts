import { KnownPeers } from '../http/known-peers.ts';
import { networkOf } from '../http/peer-of.ts';

/** Takes back a place that was taken; more than once does nothing. */
type Leave = () => void;

/** A body that is waited for, among those of its peer, in the order in which they came. */
type Waiting = {
  readonly peer: Peer;
  readonly giveUp: () => void;
  before: Waiting | null;
  behind: Waiting | null;
  hasLeft: boolean;
};

/** Those of one network: whoever has an address of IPv6 has many. */
type Peer = {
  readonly network: string;
  count: number;
  eldest: Waiting | null;
  newest: Waiting | null;
};

/** Bodies that do not count against a peer whose deliveries were proved: more than a provider sends at once. */
const FREE = 64;

/**
 * The bodies that are being waited for, so many at the most. Nothing is proved of them yet, and whoever opens connections
 * can have as many as he likes, so none is refused for want of room: the one that has been waited for longest, of the
 * peer that has most, gives up its place. A delivery that is sent without a pause is read long before it is its turn. Where
 * hundreds of peers have one each, a provider with two would be the one that has most: a peer whose deliveries were proved has
 * so many free.
 *
 * Those of a peer are linked with each other, and not in a `Set`: one that is changed with every request makes a new table
 * every few requests, each of which V8 links to the one before it, with whatever that held. So requests that are long
 * answered would be copied, and looked through, as long as all old objects are not.
 */
export class UnreadBodies {
  readonly #most: number;
  readonly #peers = new Map<string, Peer>();
  readonly #known = new KnownPeers();
  #count = 0;

  /** @param most each holds as much memory as a body may have */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Takes a place.
   *
   * @param address where the request came from
   * @param giveUp called where others need the place
   */
  enter(address: string, giveUp: () => void): Leave {
    if (this.#count >= this.#most) this.#makeRoom();
    const network = networkOf(address);
    const peer = this.#peers.get(network) ?? this.#newPeer(network);
    const own: Waiting = { peer, giveUp, before: peer.newest, behind: null, hasLeft: false };
    if (peer.newest === null) peer.eldest = own;
    else peer.newest.behind = own;
    peer.newest = own;
    peer.count += 1;
    this.#count += 1;
    return () => this.#leave(own);
  }

  /** Says that a delivery from an address was proved. */
  proved(address: string): void {
    this.#known.add(networkOf(address));
  }

  /** Peers that wait for nothing are forgotten many at a time, when as many again are known as there are places. */
  #newPeer(network: string): Peer {
    if (this.#peers.size >= 2 * this.#most) {
      for (const { network: other, count } of this.#peers.values()) if (count === 0) this.#peers.delete(other);
    }
    const peer: Peer = { network, count: 0, eldest: null, newest: null };
    this.#peers.set(network, peer);
    return peer;
  }

  #leave(own: Waiting): void {
    const { peer, before, behind } = own;
    if (own.hasLeft) return;
    own.hasLeft = true;
    if (before === null) peer.eldest = behind;
    else before.behind = behind;
    if (behind === null) peer.newest = before;
    else behind.before = before;
    // It leads to no other one any more: it may be an old object that is garbage.
    own.before = null;
    own.behind = null;
    peer.count -= 1;
    this.#count -= 1;
  }

  #makeRoom(): void {
    let [most, counts]: [Peer | null, number] = [null, -1];
    for (const peer of this.#peers.values()) {
      const count = this.#known.has(peer.network) ? Math.max(0, peer.count - FREE) : peer.count;
      if (peer.count > 0 && count > counts) [most, counts] = [peer, count];
    }
    const eldest = most?.eldest ?? null;
    if (eldest === null) return;
    this.#leave(eldest);
    eldest.giveUp();
  }
}
