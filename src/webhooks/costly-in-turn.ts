import * as E from 'fp-ts/lib/Either.js';
import type { HeldByPeers } from '../http/connections/held-by-peers.ts';
import { WaitingBodies, type Sender } from './waiting-bodies.ts';

/** Behind one that was refused the thread is left to others for so many times as long as it took. */
const REST = 3;

/** Turns of the loop for which one lets others pass that wait: these are never all gone where somebody sends them without a pause. */
const MOST_LET_PASS = 8;

/**
 * Judges bodies one at a time whose judgement takes long: up to tens of milliseconds of the receiving thread each, which
 * can't be parted. Behind one that was refused others have the thread for a while: a delivery goes through several turns of
 * the loop, and would wait for one of these in each.
 */
export class CostlyInTurn {
  readonly #waiting: WaitingBodies;
  readonly #others: { readonly size: number };
  #letPass = 0;
  #isNextAwaited = false;
  #restsUntil = 0;

  /**
   * @param held what is held of bodies that wait here
   * @param others what waits to be judged in no time, before these
   */
  constructor(held: HeldByPeers, others: { readonly size: number }) {
    this.#others = others;
    this.#waiting = new WaitingBodies(held);
  }

  /** What it is judged as, in its turn; null where it is given up, since others need the room. */
  async judge<L, R>(sender: Sender, bytes: number, judged: () => E.Either<L, R>): Promise<E.Either<L, R> | null> {
    const turn = this.#waiting.turn(sender, bytes);
    this.#awaitNext();
    if (!(await turn)) return null;
    const began = performance.now();
    const result = judged();
    const ended = performance.now();
    if (E.isLeft(result)) this.#restsUntil = ended + REST * (ended - began);
    return result;
  }

  #awaitNext(): void {
    if (this.#isNextAwaited || this.#waiting.size === 0) return;
    this.#isNextAwaited = true;
    const restMs = this.#restsUntil - performance.now();
    if (restMs > 0) setTimeout(this.#next, restMs);
    else setImmediate(this.#next);
  }

  readonly #next = (): void => {
    if (this.#others.size > 0 && this.#letPass < MOST_LET_PASS) {
      this.#letPass += 1;
      setImmediate(this.#next);
      return;
    }
    this.#letPass = 0;
    this.#waiting.beginOne();
    // Once it is judged, which is when it is known how long others have the thread.
    setImmediate(() => {
      this.#isNextAwaited = false;
      this.#awaitNext();
    });
  };
}
