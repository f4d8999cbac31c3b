import { LineByTurns } from './line-by-turns.ts';

/**
 * Work of several that is done so much at once. What waits is begun by turns, one of each who waits, so that who brings
 * very much keeps themselves waiting and hardly anybody else.
 */
export class FairTurns {
  readonly #atOnce: number;
  readonly #waiting = new LineByTurns<() => void>();
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
    this.#waiting.add(who, resolve);
    return promise;
  }

  #next(): void {
    const begin = this.#waiting.next();
    if (begin === undefined) this.#begun -= 1;
    else begin();
  }
}
