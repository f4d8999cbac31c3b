/** What is known of the deliveries of one key that have no end yet. */
type Turns = {
  /** Those whose turn has not come, in order of arrival. */
  readonly waiting: (() => void)[];
  /** How many have begun. */
  underWay: number;
  /** Whether the one that has begun lets none begin beside it. */
  isAlone: boolean;
};

/**
 * Whose turn it is among deliveries of one key: each begins in order of arrival, and behind the end of the one before, which a
 * later one that is spooled at once would overtake. Where one of them waits in the spool already, all that come go behind it
 * there: they begin at once, one beside the other, since a spool keeps what it is given in that order.
 */
export class KeyTurns {
  readonly #holds: (key: string) => boolean;
  readonly #turns = new Map<string, Turns>();

  /** @param holds whether the spool holds a delivery of a key */
  constructor(holds: (key: string) => boolean) {
    this.#holds = holds;
  }

  /**
   * Does something in the turn of a key; where the spool holds a delivery of it by then, it may do nothing but put one more into
   * the spool, before it waits for anything.
   *
   * @param deed told whether it had to wait for its turn
   */
  readonly take = <A>(key: string, deed: (hasWaited: boolean) => Promise<A>): Promise<A> => {
    const turns = this.#turns.get(key) ?? { waiting: [], underWay: 0, isAlone: false };
    this.#turns.set(key, turns);
    const { promise, resolve } = Promise.withResolvers<A>();
    let hasWaited = false;
    turns.waiting.push(() => {
      turns.underWay += 1;
      turns.isAlone = !this.#holds(key);
      const done = deed(hasWaited);
      const over = (): void => {
        turns.underWay -= 1;
        turns.isAlone = false;
        this.#begin(key, turns);
      };
      resolve(done);
      done.then(over, over);
    });
    this.#begin(key, turns);
    hasWaited = true;
    return promise;
  };

  #begin(key: string, turns: Turns): void {
    while (!turns.isAlone && (turns.underWay === 0 || this.#holds(key))) {
      const next = turns.waiting.shift();
      if (next === undefined) break;
      next();
    }
    if (turns.underWay === 0) this.#turns.delete(key);
  }
}
