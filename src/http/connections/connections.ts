import type { Duplex } from 'node:stream';
import { ClosedHere } from './closed-here.ts';
import { KnownPeers } from './known-peers.ts';
import { networkOf } from './peer-of.ts';
import { whenProved } from './proved-connections.ts';

/** A connection, and the address that it comes from. */
type Connection = Duplex & { readonly remoteAddress?: string | undefined };

/** One peer, and its connections in the order in which they were opened. `count`: how many of them count against it. */
type Peer = { readonly address: string; readonly open: Set<Connection>; count: number };

/** Connections that do not count against a peer that has proved who it is: more than a provider's pool has. */
const FREE = 16;
/** Networks of one customer of IPv6 that are peers by themselves. */
const MOST_NETWORKS = 16;

/** What a customer of IPv6 has mostly, 65,536 networks: the first 48 bits; null where the peer is none of IPv6. */
const customerOf = (network: string): string | null =>
  network.includes(':') ? `${network.split(':').slice(0, 3).join(':')}::` : null;

/**
 * The connections that are open, so many at the most. Where there are too many, the eldest that nobody waits for an
 * answer on is closed, of the peer that has most: whoever opens connections and says nothing takes them from himself.
 * Of IPv6 a peer is a network, and one customer's networks together where there are many of them. Where thousands of peers
 * have one connection each, a provider with a few would be the one that has most: a peer by which somebody proved who
 * they are has so many free.
 */
export class Connections {
  readonly #most: number;
  readonly #isWaitedFor: (socket: Duplex) => boolean;
  readonly #tellKnown: (address: string) => void;
  readonly #peers = new Map<string, Peer>();
  readonly #known = new KnownPeers();
  readonly #peerBy = new WeakMap<Duplex, Peer>();
  /** How many networks of a customer of IPv6 are peers. */
  readonly #networks = new Map<string, number>();
  /** The peers against whom so many count: in a flood, looking for who has most must cost nothing. */
  readonly #byCount: Set<Peer>[] = [];
  #count = 0;

  /**
   * @param isWaitedFor whether a whole request has come by a connection, and is not answered yet
   * @param tellKnown told of each address by which somebody proved who they are, once for each connection
   */
  constructor(
    most: number,
    isWaitedFor: (socket: Duplex) => boolean,
    tellKnown: (address: string) => void = () => undefined,
  ) {
    this.#most = most;
    this.#isWaitedFor = isWaitedFor;
    this.#tellKnown = tellKnown;
  }

  /** Counts a new connection until it is closed, and closes one where they are too many now: itself at the worst. */
  add(socket: Connection): void {
    const { remoteAddress = '' } = socket;
    const peer = this.#peerOf(networkOf(remoteAddress));
    peer.open.add(socket);
    this.#peerBy.set(socket, peer);
    this.#recount(peer);
    this.#count += 1;
    socket.once('close', () => this.#remove(peer, socket));
    // Node hears no error of a connection any more that it gave up: without anybody who does, it would end the process.
    socket.on('error', () => undefined);
    whenProved(socket, () => {
      this.#proved(peer);
      this.#tellKnown(remoteAddress);
    });
    if (this.#count > this.#most) this.#closeOne(socket);
  }

  /** Whether somebody proved who they are by the peer that a connection comes from. */
  isKnown(socket: Duplex): boolean {
    const peer = this.#peerBy.get(socket);
    return peer !== undefined && this.#known.has(peer.address);
  }

  /** Closes all that are open, also those that Node gave up to whoever asked for another protocol, and knows no longer. */
  closeAll(): void {
    const stop = new ClosedHere('the ledger was told to stop');
    for (const { open } of this.#peers.values()) for (const socket of open) socket.destroy(stop);
  }

  /** Closes those that nothing is going on by. */
  closeIdle(isIdle: (socket: Duplex) => boolean): void {
    for (const { open } of this.#peers.values()) for (const socket of open) if (isIdle(socket)) socket.destroy();
  }

  /** The peer of a network, as which it is found again while it has a connection. */
  #peerOf(network: string): Peer {
    const customer = customerOf(network);
    const isMany = customer !== null && (this.#networks.get(customer) ?? 0) >= MOST_NETWORKS;
    const address = isMany && !this.#peers.has(network) ? customer : network;
    const known = this.#peers.get(address);
    if (known !== undefined) return known;
    const peer = { address, open: new Set<Connection>(), count: 0 };
    this.#peers.set(address, peer);
    this.#countNetwork(address, 1);
    return peer;
  }

  #countNetwork(address: string, by: number): void {
    const customer = customerOf(address);
    if (customer === null || customer === address) return;
    const count = (this.#networks.get(customer) ?? 0) + by;
    if (count === 0) this.#networks.delete(customer);
    else this.#networks.set(customer, count);
  }

  #remove(peer: Peer, socket: Connection): void {
    if (!peer.open.delete(socket)) return;
    this.#recount(peer);
    this.#count -= 1;
    if (peer.open.size > 0) return;
    this.#peers.delete(peer.address);
    this.#countNetwork(peer.address, -1);
  }

  #proved(peer: Peer): void {
    if (this.#known.add(peer.address) && peer.open.size > 0) this.#recount(peer);
  }

  /** Moves a peer to those against whom as many count as against it now. */
  #recount(peer: Peer): void {
    this.#byCount[peer.count]?.delete(peer);
    const { size } = peer.open;
    peer.count = this.#known.has(peer.address) ? Math.max(0, size - FREE) : size;
    const equals = this.#byCount[peer.count] ?? new Set();
    this.#byCount[peer.count] = equals;
    if (size > 0) equals.add(peer);
    while (this.#byCount.length > 0 && (this.#byCount.at(-1)?.size ?? 0) === 0) this.#byCount.pop();
  }

  #closeOne(newest: Connection): void {
    for (let count = this.#byCount.length - 1; count >= 0; count -= 1) {
      for (const peer of this.#byCount[count] ?? []) {
        for (const socket of peer.open) {
          if (socket === newest || this.#isWaitedFor(socket)) continue;
          this.#remove(peer, socket);
          socket.destroy();
          return;
        }
      }
    }
    const peer = this.#peerBy.get(newest);
    // Not only once it is closed, a little later: the next one would take its place, and be one too many.
    if (peer !== undefined) this.#remove(peer, newest);
    newest.destroy();
  }
}
