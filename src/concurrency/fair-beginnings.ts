import { LineByTurns } from './line-by-turns.ts';

/**
 * Lets what several ask of one thread begin, one in each turn of its loop, and by turns of each who asks. However many are
 * under way, whatever else the thread does comes behind the work of about one of them: without this, behind a piece of
 * each. Nothing is held while somebody waits for something else, so nobody's waiting keeps others from beginning.
 */
export class FairBeginnings {
  readonly #waiting = new LineByTurns<() => void>();
  /** Whether one has begun in this turn, or some wait for the next one. */
  #hasBegun = false;

  /** Resolves when somebody may begin; at once where nobody has in this turn. */
  async turn(who: string): Promise<void> {
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      setImmediate(this.#next);
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(who, resolve);
    await promise;
  }

  readonly #next = (): void => {
    const begin = this.#waiting.next();
    if (begin === undefined) {
      this.#hasBegun = false;
      return;
    }
    setImmediate(this.#next);
    begin();
  };
}
