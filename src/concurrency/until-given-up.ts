/** Waits for work until it comes to an end, or until all that is waited for is given up at once. What is given up goes on. */
export class UntilGivenUp {
  readonly #waiting = new Set<() => void>();

  /** What the work comes to, or `late` where it is given up before. */
  readonly wait = <A, B>(work: Promise<A>, late: B): Promise<A | B> =>
    new Promise((resolve, reject) => {
      const giveUp = (): void => resolve(late);
      this.#waiting.add(giveUp);
      work.then(resolve, reject).finally(() => this.#waiting.delete(giveUp));
    });

  readonly giveUp = (): void => {
    for (const give of this.#waiting) give();
    this.#waiting.clear();
  };
}
