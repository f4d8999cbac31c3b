/** At most so many at a time; who comes when all places are taken waits a while for one, in order of arrival. */
export class Places {
  readonly #waitMs: number;
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(places: number, waitMs: number) {
    this.#free = places;
    this.#waitMs = waitMs;
  }

  /** Whether a place was got in time; it is to be left then. */
  take(): Promise<boolean> {
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const enter = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(enter);
        resolve(false);
      }, this.#waitMs);
      this.#waiting.add(enter);
    });
  }

  leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
