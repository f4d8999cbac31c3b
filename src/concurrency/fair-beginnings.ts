/**
 * Lets what several ask of one thread begin, one in each turn of its loop, and by turns of each who asks. However many are
 * under way, whatever else the thread does comes behind the work of about one of them: without this, behind a piece of
 * each. Nothing is held while somebody waits for something else, so nobody's waiting keeps others from beginning.
 */
export class FairBeginnings {
  /** What waits of each, the next one first. */
  readonly #waiting = new Map<string, (() => void)[]>();
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
    const before = this.#waiting.get(who);
    if (before === undefined) this.#waiting.set(who, [resolve]);
    else before.push(resolve);
    await promise;
  }

  readonly #next = (): void => {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#hasBegun = false;
      return;
    }
    const [who, turns] = next;
    this.#waiting.delete(who);
    const begin = turns.shift();
    if (turns.length > 0) this.#waiting.set(who, turns);
    setImmediate(this.#next);
    begin?.();
  };
}
