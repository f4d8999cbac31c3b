/** So many keys of those that vanished are named. */
const MOST_NAMED = 5;

/** Deliveries that waited and are not in the file any more, as operators are told of them. */
export class VanishedKeys {
  readonly #named = new Set<string>();
  #deliveries = 0;

  get deliveries(): number {
    return this.#deliveries;
  }

  /** The first few of their keys. */
  get keys(): readonly string[] {
    return [...this.#named];
  }

  /** One more, of this key. */
  add(key: string): void {
    this.#deliveries += 1;
    if (this.#named.size < MOST_NAMED) this.#named.add(key);
  }
}
