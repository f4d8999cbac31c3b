import type { Pause } from '../concurrency/wait.ts';

/** A minute in all, about: a restart, a change of leaders, a disk that somebody makes room on. */
const PAUSES_MS = [250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000, 10_000, 10_000];

/** Pauses between tries at a store that is away, longer each time, until about a minute is over. */
export class Patience {
  readonly #pause: Pause;
  #pauses = 0;

  constructor(pause: Pause) {
    this.#pause = pause;
  }

  /** Something worked: the next failure has a minute of its own. */
  renew(): void {
    this.#pauses = 0;
  }

  /** Waits for the next try; false, at once, where there is none. */
  async wait(): Promise<boolean> {
    const ms = PAUSES_MS[this.#pauses];
    if (ms === undefined) return false;
    this.#pauses += 1;
    await this.#pause(ms);
    return true;
  }
}
