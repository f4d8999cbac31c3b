import type { Duplex } from 'node:stream';
import type { HeldByPeers } from './held-by-peers.ts';
import { memoryOfBody, memoryOfRequest, type Unheard } from './memory-of-request.ts';
import { readLater } from './read-later.ts';

/** Requests that may wait on one connection; hardly any client sends a second one before the first is answered. */
const MOST = 32;

/** The memory that they may take together, without bodies: of these no more than one read brings. */
const MOST_BYTES = 131_072;

/**
 * Where others take much, this part of what is left, so that of a flood of full reads hardly anything is made; a few small
 * requests at least.
 */
const PART_OF_LEFT = 128;
const LEAST_BYTES = 16_384;

/** A connection, and the address that it comes from. */
type Connection = Duplex & { readonly remoteAddress?: string | undefined };

type Waiting = { readonly begin: () => void; readonly bytes: number; readonly withBody: number };

/** What a connection has while requests wait on it. */
type Place = { readonly held: ReturnType<HeldByPeers['enter']>; readonly readOn: () => void };

/**
 * The requests of a connection that wait behind another one. While there are any, the connection is read no further, so
 * that there are no more of them than came in one read. One read may bring a thousand: where more of them wait than may, on
 * this connection or on all together, a connection is cut off.
 */
export class RequestsBehind {
  readonly #socket: Connection;
  readonly #all: HeldByPeers;
  readonly #isKnown: (socket: Duplex) => boolean;
  readonly #waiting: Waiting[] = [];
  #bytes = 0;
  #withBodies = 0;
  #place: Place | null = null;

  /**
   * @param all what the requests that wait hold on all connections
   * @param isKnown whether the peer of the connection has proved who it is: then it may have as much as ever
   */
  constructor(socket: Connection, all: HeldByPeers, isKnown: (socket: Duplex) => boolean) {
    this.#socket = socket;
    this.#all = all;
    this.#isKnown = isKnown;
    socket.once('close', () => this.#clear());
  }

  get size(): number {
    return this.#waiting.length;
  }

  /** @param begin has the request heard */
  add(request: Unheard, begin: () => void): void {
    const bytes = memoryOfRequest(request);
    const withBody = bytes + memoryOfBody(request);
    if (this.size === MOST || this.#bytes + bytes > this.#most()) {
      this.#socket.destroy();
      return;
    }
    this.#waiting.push({ begin, bytes, withBody });
    this.#bytes += bytes;
    this.#withBodies += withBody;
    this.#place ??= this.#begin();
    this.#all.holds(this.#place.held, this.#withBodies);
  }

  /** Begins the one that came first, if there is any. */
  beginOne(): void {
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#bytes -= next.bytes;
    this.#withBodies -= next.withBody;
    if (this.size === 0) this.#leave();
    else if (this.#place !== null) this.#all.holds(this.#place.held, this.#withBodies);
    next.begin();
  }

  #most(): number {
    if (this.#isKnown(this.#socket)) return MOST_BYTES;
    return Math.max(LEAST_BYTES, Math.min(MOST_BYTES, this.#all.left / PART_OF_LEFT));
  }

  #begin(): Place {
    const address = this.#socket.remoteAddress ?? '';
    return { held: this.#all.enter(address, () => this.#socket.destroy()), readOn: readLater(this.#socket) };
  }

  #leave(): void {
    if (this.#place === null) return;
    const { held, readOn } = this.#place;
    this.#place = null;
    this.#all.leave(held);
    readOn();
  }

  #clear(): void {
    this.#waiting.length = 0;
    this.#leave();
  }
}
