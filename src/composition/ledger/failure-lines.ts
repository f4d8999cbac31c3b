/** How a failure is told: as an error of its own, or as what follows from an outage. */
export type FailureWriter = { readonly error: (failure: string) => void; readonly follows: (failure: string) => void };

/** Of a store on another machine: why it is away; null: it is there. Null in its place: the store is on this machine. */
export type StoreAway = (() => string | null) | null;

/**
 * The lines about something that fails and is tried again and again: each failure once, until it succeeds. What only follows
 * from an outage is none. An outage may be met before it is known, so that a first failure is told when it comes again.
 */
export class FailureLines {
  readonly #write: FailureWriter;
  readonly #storeAway: StoreAway;
  readonly #said = new Set<string>();
  #follows = false;
  #isFirst = true;

  constructor(write: FailureWriter, storeAway: StoreAway) {
    this.#write = write;
    this.#storeAway = storeAway;
  }

  failed(failure: string): void {
    if (this.#storeAway !== null && this.#storeAway() !== null) {
      if (!this.#follows) this.#write.follows(failure);
      this.#follows = true;
      return;
    }
    const mayFollow = this.#storeAway !== null && this.#isFirst;
    this.#isFirst = false;
    if (mayFollow || this.#said.has(failure)) return;
    this.#said.add(failure);
    this.#write.error(failure);
  }

  succeeded(): void {
    this.#said.clear();
    this.#follows = false;
    this.#isFirst = true;
  }
}
