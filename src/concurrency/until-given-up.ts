/** One who waits, among all who do. */
type Waiting = { readonly giveUp: () => void; before: Waiting | null; behind: Waiting | null };

/**
 * Waits for work until it comes to an end, or until all that is waited for is given up at once. What is given up goes on.
 *
 * Those who wait are linked with each other, and not in a `Set`, which would keep what came to its end long ago
 * (`http/connections/held-by-peers.ts` says why).
 */
export class UntilGivenUp {
  #newest: Waiting | null = null;

  /** What the work comes to, or `late` where it is given up before; what becomes of it then is nobody's. */
  readonly wait = async <A, B>(work: Promise<A>, late: B): Promise<A | B> => {
    const givenUp = Promise.withResolvers<B>();
    const own = this.#link(() => givenUp.resolve(late));
    try {
      return await Promise.race([work, givenUp.promise]);
    } finally {
      this.#unlink(own);
    }
  };

  readonly giveUp = (): void => {
    for (let its = this.#newest; its !== null; its = its.before) its.giveUp();
  };

  #link(giveUp: () => void): Waiting {
    const own: Waiting = { giveUp, before: this.#newest, behind: null };
    if (this.#newest !== null) this.#newest.behind = own;
    this.#newest = own;
    return own;
  }

  #unlink(own: Waiting): void {
    if (own.before !== null) own.before.behind = own.behind;
    if (own.behind === null) this.#newest = own.before;
    else own.behind.before = own.before;
    own.before = null;
    own.behind = null;
  }
}
