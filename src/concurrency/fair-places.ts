import { inTime } from './in-time.ts';

type Waiting = { readonly who: string; readonly admit: () => void; given: boolean };

/**
 * Places that several share. Each may hold as many as are free still: one alone half of them, two a third each. So there
 * is always one for who comes next, and nothing has to be configured for each. Who finds none waits a while, in the order
 * of arrival. (p-limit knows no shares, and holds for the length of a call: what is taken here is kept by a stream that
 * outlives its question.)
 */
export class FairPlaces {
  readonly #waitMs: number;
  readonly #held = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();
  #free: number;

  /** @param waitMs how long somebody waits for a place; 0: not at all */
  constructor(places: number, waitMs: number) {
    this.#free = places;
    this.#waitMs = waitMs;
  }

  /** Whether somebody got a place in time; it is to be given back then. */
  async take(who: string): Promise<boolean> {
    if (this.#isFreeFor(who)) {
      this.#give(who);
      return true;
    }
    if (this.#waitMs === 0) return false;
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting: Waiting = { who, admit: resolve, given: false };
    this.#waiting.add(waiting);
    await inTime(this.#waitMs, promise, undefined);
    this.#waiting.delete(waiting);
    return waiting.given;
  }

  giveBack(who: string): void {
    const left = (this.#held.get(who) ?? 1) - 1;
    if (left === 0) this.#held.delete(who);
    else this.#held.set(who, left);
    this.#free += 1;
    for (const waiting of this.#waiting) {
      if (!this.#isFreeFor(waiting.who)) continue;
      this.#waiting.delete(waiting);
      this.#give(waiting.who);
      waiting.given = true;
      waiting.admit();
    }
  }

  #isFreeFor(who: string): boolean {
    return (this.#held.get(who) ?? 0) < this.#free;
  }

  #give(who: string): void {
    this.#held.set(who, (this.#held.get(who) ?? 0) + 1);
    this.#free -= 1;
  }
}
