import { inTime } from './in-time.ts';

/**
 * At most so many at a time; who comes when all are taken waits a while, in order of arrival. (p-limit waits without end,
 * and holds for the length of a call: what is taken here is kept by a stream that outlives its question.)
 */
export class Semaphore {
  readonly #waitMs: number;
  readonly #waiting = new Set<(taken: true) => void>();
  #free: number;

  constructor(permits: number, waitMs: number) {
    this.#free = permits;
    this.#waitMs = waitMs;
  }

  /** Whether one was got in time; it is to be released then. */
  async acquire(): Promise<boolean> {
    if (this.#free > 0) {
      this.#free -= 1;
      return true;
    }
    const { promise, resolve } = Promise.withResolvers<true>();
    this.#waiting.add(resolve);
    try {
      return await inTime(this.#waitMs, promise, false);
    } finally {
      this.#waiting.delete(resolve);
    }
  }

  release(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next(true);
  }
}
