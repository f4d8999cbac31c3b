/**
 * Work of several that is done so much at once. What waits is begun by turns, one of each who waits, so that who brings
 * very much keeps themselves waiting and hardly anybody else.
 */
export class FairTurns {
  readonly #atOnce: number;
  /** What waits of each, the next one first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #begun = 0;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  async run<A>(who: string, work: () => Promise<A>): Promise<A> {
    if (this.#begun < this.#atOnce) this.#begun += 1;
    else await this.#turn(who);
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  #turn(who: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#waiting.get(who);
    if (before === undefined) this.#waiting.set(who, [resolve]);
    else before.push(resolve);
    return promise;
  }

  #next(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#begun -= 1;
      return;
    }
    const [who, turns] = next;
    this.#waiting.delete(who);
    const begin = turns.shift();
    if (turns.length > 0) this.#waiting.set(who, turns);
    begin?.();
  }
}
