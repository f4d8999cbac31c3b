import { oneByOne } from '../concurrency/one-by-one.ts';
import { turnsBetween } from '../concurrency/turns-between.ts';

/** What waits at the most, in bytes of bodies: what one more would be is given up. */
const MOST_WAITING_BYTES = 33_554_432;

/**
 * Judges bodies that nobody has proved one behind the other, with turns of the loop between them. To be judged, some have to be
 * parsed and written again first, up to 40 ms of the receiving thread for each: whoever lets hundreds of them come to their end in
 * one moment would hold it for as many at once.
 */
export class UnprovedInTurn {
  readonly #mostBytes: number;
  readonly #turns = turnsBetween();
  #waiting = 0;

  constructor(mostBytes = MOST_WAITING_BYTES) {
    this.#mostBytes = mostBytes;
  }

  /** What it is judged as, in its turn; null where too many wait. */
  async judge<A>(body: Buffer, judged: () => A): Promise<A | null> {
    if (this.#waiting > 0 && this.#waiting + body.length > this.#mostBytes) return null;
    this.#waiting += body.length;
    try {
      return await oneByOne(this, async () => {
        await this.#turns();
        return judged();
      });
    } finally {
      this.#waiting -= body.length;
    }
  }
}
