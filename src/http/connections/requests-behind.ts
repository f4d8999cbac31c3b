import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { countBody } from './count-body.ts';
import type { HeldByPeers } from './held-by-peers.ts';
import { memoryOfRequest } from './memory-of-request.ts';
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

/** `request`: null for what is to be done behind the last one. `body`: what came of it. */
type Waiting = {
  readonly request: IncomingMessage | null;
  readonly begin: () => void;
  readonly bytes: number;
  body: number;
};

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
  readonly #tooMany: (socket: Duplex) => void;
  readonly #waiting: Waiting[] = [];
  #bytes = 0;
  #bodies = 0;
  #place: Place | null = null;
  #isCutOff = false;

  /**
   * @param all what the requests that wait hold on all connections
   * @param isKnown whether the peer of the connection has proved who it is: then it may have as much as ever
   * @param tooMany ends the connection; not at once where many are to be ended
   */
  constructor(
    socket: Connection,
    all: HeldByPeers,
    isKnown: (socket: Duplex) => boolean,
    tooMany: (socket: Duplex) => void,
  ) {
    this.#socket = socket;
    this.#all = all;
    this.#isKnown = isKnown;
    this.#tooMany = tooMany;
    socket.once('close', () => this.#clear());
  }

  get size(): number {
    return this.#waiting.length;
  }

  /** Whether the connection had more than it may: none of what came is heard, even where it is not ended yet. */
  get isCutOff(): boolean {
    return this.#isCutOff;
  }

  /** Whether nothing but the end of the connection waits. */
  get endsNext(): boolean {
    return this.#waiting[0]?.request === null;
  }

  /** @param begin has the request heard */
  add(request: IncomingMessage, begin: () => void): void {
    if (this.#isCutOff) return;
    const bytes = memoryOfRequest(request);
    if (this.size === MOST || this.#bytes + bytes > this.#most()) {
      this.#cutOff();
      return;
    }
    const waiting: Waiting = { request, begin, bytes, body: 0 };
    waiting.body = countBody(request, (body) => this.#bodyCame(waiting, body));
    this.#waiting.push(waiting);
    this.#bytes += bytes;
    this.#bodies += waiting.body;
    this.#place ??= this.#begin();
    this.#hold();
  }

  /** Begins the one that came first, if there is any. */
  beginOne(): void {
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#forget(next);
    if (this.size === 0) this.#leave();
    else this.#hold();
    next.begin();
  }

  /**
   * Has the connection end behind those that are whole, and come before a request: it and what is behind it is not heard.
   *
   * @param cut null: none but those that are not all there
   * @returns whether any waits; if not, or where the request is heard already, `end` is not called
   */
  endBehind(cut: IncomingMessage | null, end: () => void): boolean {
    if (this.size === 0 || (cut !== null && !this.#waiting.some(({ request }) => request === cut))) return false;
    const from = this.#waiting.findIndex(({ request }) => request === cut || request?.complete === false);
    for (const gone of from === -1 ? [] : this.#waiting.splice(from)) this.#forget(gone);
    this.#waiting.push({ request: null, begin: end, bytes: 0, body: 0 });
    this.#hold();
    return true;
  }

  #most(): number {
    if (this.#isKnown(this.#socket)) return MOST_BYTES;
    return Math.max(LEAST_BYTES, Math.min(MOST_BYTES, this.#all.left / PART_OF_LEFT));
  }

  #bodyCame(waiting: Waiting, body: number): void {
    if (!this.#waiting.includes(waiting)) return;
    this.#bodies += body - waiting.body;
    waiting.body = body;
    this.#hold();
  }

  #forget({ bytes, body }: Waiting): void {
    this.#bytes -= bytes;
    this.#bodies -= body;
  }

  #hold(): void {
    if (this.#place !== null) this.#all.holds(this.#place.held, this.#bytes + this.#bodies);
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

  /** Nothing of what waited is kept, and the connection is read no further for good. */
  #cutOff(): void {
    this.#isCutOff = true;
    this.#waiting.length = 0;
    this.#place ??= this.#begin();
    this.#all.leave(this.#place.held);
    this.#tooMany(this.#socket);
  }

  #clear(): void {
    this.#waiting.length = 0;
    this.#leave();
  }
}
