import type { Duplex } from 'node:stream';

/** In so many turns of the loop one after the other a connection was accepted where it is not just a few that came. */
const TURNS = 4;

const bySocket = new WeakMap<Duplex, NewConnections>();

/** Those of the server that a connection was made to; null of one that nobody listened for. */
export const connectionsBeside = (socket: Duplex): { readonly keepComing: boolean } | null =>
  bySocket.get(socket) ?? null;

/**
 * Tells whether connections keep coming. The system hands over one in each turn of the loop, so that where there was one in
 * each of the last turns, others wait to be accepted, up to as many as the system holds.
 */
export class NewConnections {
  #turns = 0;
  #hasCome = false;
  #isTurnAwaited = false;

  get keepComing(): boolean {
    return this.#turns >= TURNS;
  }

  /** One was accepted. */
  came(socket: Duplex): void {
    bySocket.set(socket, this);
    this.#hasCome = true;
    if (this.#isTurnAwaited) return;
    this.#isTurnAwaited = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#turns = this.#hasCome ? this.#turns + 1 : 0;
    this.#isTurnAwaited = this.#hasCome;
    if (this.#hasCome) setImmediate(() => this.#turn());
    this.#hasCome = false;
  }
}
