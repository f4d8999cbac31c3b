import type { Duplex } from 'node:stream';
import { ClosedHere } from './closed-here.ts';
import type { ReaderPace } from './reader-patience.ts';

/** How long answers wait to be read, and how much of them at a time. */
export type UnreadLimits = {
  /** An answer of which nothing is taken for the patience, and for as long as the rest of it needs at this rate, is cut off. */
  readonly pace: ReaderPace;
  /** Bytes of all answers; where more wait, those that have waited longest are cut off. */
  readonly bytes: number;
  readonly lookEveryMs: number;
};

/** What waits on a connection: since when nothing of it was taken, and what waited then. */
type Waiting = { readonly sinceMs: number; readonly bytes: number };

const SECOND_MS = 1_000;

const TOO_SLOW = 'its reader took too little of it';
const NO_ROOM = 'more waited for readers than there is memory for, this one for longest';

/**
 * Holds the connections whose callers don't read what they asked for to so many bytes and so long: what is made for them
 * lies in memory until they do, and anybody may ask for some of it.
 */
export class UnreadAnswers {
  readonly #limits: UnreadLimits;
  readonly #sockets = new Set<Duplex>();
  readonly #waiting = new Map<Duplex, Waiting>();
  #timer: NodeJS.Timeout | null = null;

  constructor(limits: UnreadLimits) {
    this.#limits = limits;
  }

  /** Watches a connection until it is closed. */
  add(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#remove(socket));
    this.#timer ??= setInterval(() => this.#look(performance.now()), this.#limits.lookEveryMs).unref();
  }

  #remove(socket: Duplex): void {
    this.#sockets.delete(socket);
    this.#waiting.delete(socket);
    if (this.#sockets.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #look(nowMs: number): void {
    const { patienceMs, bytesPerSecond } = this.#limits.pace;
    for (const socket of this.#sockets) {
      const bytes = socket.writableLength;
      const before = this.#waiting.get(socket);
      if (bytes === 0) this.#waiting.delete(socket);
      else if (before?.bytes !== bytes) this.#waiting.set(socket, { sinceMs: nowMs, bytes });
      else if (nowMs - before.sinceMs > patienceMs + (bytes / bytesPerSecond) * SECOND_MS)
        this.#cutOff(socket, TOO_SLOW);
    }
    this.#makeRoom();
  }

  /** One alone may have as much as it asked for: it is no more than was made at once. */
  #makeRoom(): void {
    let bytes = 0;
    for (const waiting of this.#waiting.values()) bytes += waiting.bytes;
    if (bytes <= this.#limits.bytes) return;
    const eldest = [...this.#waiting].toSorted(([, a], [, b]) => a.sinceMs - b.sinceMs);
    for (const [socket, waiting] of eldest) {
      if (bytes <= this.#limits.bytes || this.#waiting.size === 1) return;
      bytes -= waiting.bytes;
      this.#cutOff(socket, NO_ROOM);
    }
  }

  #cutOff(socket: Duplex, why: string): void {
    this.#remove(socket);
    socket.destroy(new ClosedHere(why));
  }
}
