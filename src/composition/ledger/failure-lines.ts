/** How a failure is told: as an error of its own, or as what follows from an outage. */
export type FailureWriter = { readonly error: (failure: string) => void; readonly follows: (failure: string) => void };

/**
 * Of a store on another machine: which outage goes on, by its number, until its end is told; null: none. Null in its place: the
 * store is on this machine.
 */
export type StoreAway = (() => number | null) | null;

/** What failed. `isOutage`: since the event store could not be asked. */
export type Failure = { readonly detail: string; readonly isOutage: boolean };

/**
 * The lines about something that fails and is tried again and again: each failure once, until it succeeds. That the store on
 * another machine can't be asked follows from an outage, which has a line of its own, and is no error. An outage may be met
 * before it is known: a first such failure is told where another one comes, and nobody knows of an outage by then.
 */
export class FailureLines {
  readonly #write: FailureWriter;
  readonly #storeAway: StoreAway;
  readonly #said = new Set<string>();
  /** Of which outage it was told last that this follows from it. */
  #followed: number | null = null;
  #isFirst = true;

  constructor(write: FailureWriter, storeAway: StoreAway) {
    this.#write = write;
    this.#storeAway = storeAway;
  }

  failed({ detail, isOutage }: Failure): void {
    if (isOutage && this.#storeAway !== null) {
      const outage = this.#storeAway();
      if (outage !== null) {
        if (outage !== this.#followed) this.#write.follows(detail);
        this.#followed = outage;
        this.#isFirst = true;
        return;
      }
      const mayFollow = this.#isFirst;
      this.#isFirst = false;
      if (mayFollow) return;
    }
    if (this.#said.has(detail)) return;
    this.#said.add(detail);
    this.#write.error(detail);
  }

  succeeded(): void {
    this.#said.clear();
  }
}
