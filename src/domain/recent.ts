/**
 * A cache of the entries that were put last. It holds two generations: when the young one is full, it becomes the old one,
 * and the old one is dropped as a whole. So no time is spent on single entries that are dropped.
 */
export class Recent<K, V> {
  readonly #mostOfEach: number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();

  /** @param most entries kept at the most; at least half as many of the last that were put are there */
  constructor(most: number) {
    this.#mostOfEach = Math.ceil(most / 2);
  }

  get(key: K): V | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  put(key: K, value: V): void {
    this.#young.set(key, value);
    if (this.#young.size < this.#mostOfEach) return;
    this.#old = this.#young;
    this.#young = new Map();
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }
}
