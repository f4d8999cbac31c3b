import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { IncomingMessage as Incoming } from '../node-http.ts';
import { EndedInShares } from './ended-in-shares.ts';
import type { HeldByPeers } from './held-by-peers.ts';
import { isParserCallback, parserOf, type ParserCallback } from './parser-of.ts';
import { RequestsBehind } from './requests-behind.ts';

/** What Node's parser takes for "another protocol begins here", and stops at. */
const ENOUGH = 2;
const GO_ON = 0;

/** Whether a request of a connection is heard now, the reply to it, and what waits behind it; null where nothing ever did. */
type Turns = { isBusy: boolean; reply: ServerResponse | null; behind: RequestsBehind | null };

/** Has a reply say that it is the last where its connection ends behind it: who sent more behind it does not wait for that. */
const sayIfLast = ({ reply, behind }: Turns): void => {
  if (reply !== null && behind?.endsNext === true && !reply.headersSent) reply.shouldKeepAlive = false;
};

/** A request that Node has read; to CONNECT it answers by itself, as soon as the read is over. */
const mayWait = (request: unknown): request is IncomingMessage =>
  request instanceof Incoming && request.method !== 'CONNECT';

/**
 * Hears the requests of each connection one after the other: the next when the answer to the one before is sent, and others
 * have had their turn. A connection that sends on and on without waiting takes no more of the thread, nor of memory,
 * than one that waits, and all of them together take no more than there is for them: who holds most of it is cut off.
 *
 * Node makes an answer of each request as soon as it is read, and an error with a stack of both where the connection ends
 * first, which is most of what a packet of requests costs. So a request waits before any of that is made of it, and is given
 * to Node in its turn.
 */
export class InTurn {
  readonly #all: HeldByPeers;
  readonly #isKnown: (socket: Duplex) => boolean;
  readonly #connections = new WeakMap<Duplex, Turns>();
  readonly #cutOff = new EndedInShares((socket) => socket.destroy());

  /**
   * @param all what all requests hold that wait, here or elsewhere
   * @param isKnown whether the peer of a connection has proved who it is, by this one or another
   */
  constructor(all: HeldByPeers, isKnown: (socket: Duplex) => boolean) {
    this.#all = all;
    this.#isKnown = isKnown;
  }

  /**
   * Lets requests of a connection wait as soon as they are read. Nothing more is read of a packet where they are too many,
   * or the connection is ended: it may hold two thousand. Where Node has no such parser there, requests wait in `heard`.
   *
   * @param read told of each request that is read, before anything of its body comes
   */
  watch(socket: Duplex, read: (request: IncomingMessage) => void): void {
    const parser = parserOf(socket);
    const inner: unknown = parser === null ? null : Reflect.get(parser, 'onIncoming');
    if (parser === null || !isParserCallback(inner)) return;
    const turns = this.#turns(socket);
    const isOver = (): boolean => !socket.writable || turns.behind?.isCutOff === true;
    const behind = (): RequestsBehind => this.#behind(socket, turns);
    const incoming: ParserCallback = function incoming(...given) {
      const [request] = given;
      if (isOver()) return ENOUGH;
      if (request instanceof Incoming) read(request);
      if (!turns.isBusy || !mayWait(request)) return Reflect.apply(inner, this, given);
      // As Node does with one that asks for another protocol of a server that knows none; else it would answer as soon as the read is over.
      Reflect.set(request, 'upgrade', false);
      behind().add(request, () => {
        turns.isBusy = false;
        Reflect.apply(inner, this, given);
      });
      return isOver() ? ENOUGH : GO_ON;
    };
    Reflect.set(parser, 'onIncoming', incoming);
  }

  /** Hears requests, each in its turn. */
  heard(listener: RequestListener): RequestListener {
    return (request, response) => {
      const { socket } = request;
      // All requests of one packet are read before the connection is let go of. Behind its last answer none is heard: nobody
      // could be answered, and where the one before ended may be in doubt.
      if (!socket.writable) return;
      const turns = this.#turns(socket);
      const hear = (): void => {
        turns.isBusy = true;
        turns.reply = response;
        sayIfLast(turns);
        response.on('close', () => {
          turns.reply = null;
          turns.isBusy = turns.behind !== null && turns.behind.size > 0;
          if (turns.isBusy && socket.writable) setImmediate(() => turns.behind?.beginOne());
        });
        listener(request, response);
      };
      if (turns.isBusy) this.#behind(socket, turns).add(request, hear);
      else hear();
    };
  }

  /**
   * Has a connection end behind the whole requests that wait on it.
   *
   * @param cut the first request that is not heard any more, where it is one of those that wait
   * @returns whether it will, and calls `end` then; if not, none waits, or `cut` does not
   */
  endBehind(socket: Duplex, cut: IncomingMessage | null, end: () => void): boolean {
    const turns = this.#connections.get(socket);
    if (turns?.behind?.endBehind(cut, end) !== true) return false;
    sayIfLast(turns);
    return true;
  }

  #turns(socket: Duplex): Turns {
    const known = this.#connections.get(socket);
    if (known !== undefined) return known;
    const turns: Turns = { isBusy: false, reply: null, behind: null };
    this.#connections.set(socket, turns);
    return turns;
  }

  #behind(socket: Duplex, turns: Turns): RequestsBehind {
    return (turns.behind ??= new RequestsBehind(socket, this.#all, this.#isKnown, (full) => this.#cutOff.came(full)));
  }
}
