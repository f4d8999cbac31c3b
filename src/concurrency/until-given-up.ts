/** Waits for work until it comes to an end, or until all that is waited for is given up at once. What is given up goes on. */
export class UntilGivenUp {
  readonly #waiting = new Set<() => void>();

  /** What the work comes to, or `late` where it is given up before; what becomes of it then is nobody's. */
  readonly wait = async <A, B>(work: Promise<A>, late: B): Promise<A | B> => {
    const givenUp = Promise.withResolvers<B>();
    const giveUp = (): void => givenUp.resolve(late);
    this.#waiting.add(giveUp);
    try {
      return await Promise.race([work, givenUp.promise]);
    } finally {
      this.#waiting.delete(giveUp);
    }
  };

  readonly giveUp = (): void => {
    for (const give of this.#waiting) give();
  };
}
