/** An empty map is not asked: V8 first puts a text that is new to it among all texts of the thread, for good or until it collects. */
const lookedUp = <K, V>(entries: ReadonlyMap<K, V>, key: K): V | undefined =>
  entries.size === 0 ? undefined : entries.get(key);

/**
 * A cache of the entries that were put last, as many as weigh so much. It holds two generations: when the young one is full, it becomes the old one,
 * and the old one is dropped as a whole. So no time is spent on single entries that are dropped.
 */
export class Recent<K, V> {
  readonly #mostOfEach: number;
  readonly #weightOf: (value: V) => number;
  #weight = 0;
  #young = new Map<K, V>();
  #old = new Map<K, V>();

  /**
   * @param most entries kept at the most; at least half as many of the last that were put are there
   * @param weightOf for how many an entry counts; the one that was put last is kept whatever it weighs
   */
  constructor(most: number, weightOf: (value: V) => number = () => 1) {
    this.#mostOfEach = Math.ceil(most / 2);
    this.#weightOf = weightOf;
  }

  get(key: K): V | undefined {
    return lookedUp(this.#young, key) ?? lookedUp(this.#old, key);
  }

  put(key: K, value: V): void {
    const replaced = this.#young.get(key);
    this.#weight += this.#weightOf(value) - (replaced === undefined ? 0 : this.#weightOf(replaced));
    this.#young.set(key, value);
    if (this.#weight < this.#mostOfEach) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#weight = 0;
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
    this.#weight = 0;
  }
}
