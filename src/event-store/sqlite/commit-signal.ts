/** Wakes those who wait for the next commit. */
export class CommitSignal {
  #waiting: (() => void)[] = [];

  readonly notify = (): void => {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  };

  /** Resolves at the next commit, or when the signal is aborted, or at the latest after a time, where one is given. */
  readonly next = (signal: AbortSignal, atMostMs?: number): Promise<void> =>
    new Promise((resolve) => {
      if (signal.aborted) {
        resolve();
        return;
      }
      const timer = atMostMs === undefined ? undefined : setTimeout(() => wake(), atMostMs);
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      signal.addEventListener('abort', wake, { once: true });
      this.#waiting.push(wake);
    });
}
