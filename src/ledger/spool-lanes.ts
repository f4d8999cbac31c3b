import type { Spool } from '../event-store/spool.ts';

/** The deliveries of one key on their way out of the spool, one after the other. */
export type Lane = {
  readonly key: string;
  /** How often its first delivery failed. */
  failures: number;
  /** How often it did while the store took others. */
  alone: number;
  /** How many the store had taken when it was tried first, or failed last. */
  tookBefore: number;
};

/** Keys that fail alone are tried so many at a time: what they wait for is not to be missing to the others. */
const MOST_ALONE = 4;

/** Whose turn it is among the keys of a spool: each is in one lane at the most, and is tried in one place at a time. */
export class SpoolLanes {
  readonly #spool: Pick<Spool, 'keys'>;
  readonly #lanes = new Map<string, Lane>();
  /** Failed, and may be tried again: with all others, and alone. */
  #passedBy: Lane[] = [];
  #rested: Lane[] = [];
  /** No secret proved their first delivery: they are not tried before `tryUnproved`. */
  readonly #unproved = new Set<Lane>();
  readonly #underWay = new Set<Lane>();
  #keys: IterableIterator<string>;
  #took = 0;

  constructor(spool: Pick<Spool, 'keys'>) {
    this.#spool = spool;
    this.#keys = spool.keys();
  }

  /** Whether no key is under way, or waits for another try. */
  isEmpty(): boolean {
    return this.#lanes.size === 0;
  }

  /**
   * The next to be tried, if fewer than so many are under way; null where there is none.
   *
   * @param pauses since the store took anything last; a lone key that fails is not tried each time then
   */
  next(most: number, pauses: number): Lane | null {
    if (this.#underWay.size >= most) return null;
    const lane = pauses % 2 === 0 && pauses > 0 ? (this.#begun() ?? this.#again()) : (this.#again() ?? this.#begun());
    if (lane === null) return null;
    this.#underWay.add(lane);
    return lane;
  }

  /** The store took a delivery. */
  storeTook(): void {
    this.#took += 1;
  }

  /** The first delivery of a lane has gone its way. */
  isThrough(lane: Lane): void {
    [lane.failures, lane.alone, lane.tookBefore] = [0, 0, this.#took];
  }

  /** Its first delivery could not be appended. */
  failed(lane: Lane): void {
    lane.failures += 1;
    if (this.#took > lane.tookBefore) lane.alone += 1;
    lane.tookBefore = this.#took;
    this.#underWay.delete(lane);
  }

  /** It may be tried again with the others. */
  passBy(lane: Lane): void {
    this.#underWay.delete(lane);
    this.#passedBy.push(lane);
  }

  /** It may be tried again, as one that fails alone. */
  rested(lane: Lane): void {
    this.#rested.push(lane);
  }

  /** No secret proves its first delivery now. */
  isUnproved(lane: Lane): void {
    this.#unproved.add(lane);
  }

  /** The one that has waited longest for a secret that proves it; null where none does. */
  firstUnproved(): Lane | null {
    return this.#unproved.values().next().value ?? null;
  }

  /** Lets so many be tried again that no secret proved. */
  tryUnproved(most: number): void {
    for (const lane of this.#unproved.values().take(most)) {
      this.#unproved.delete(lane);
      this.#passedBy.push(lane);
    }
  }

  /** Nothing waits any more of its key. */
  end(lane: Lane): void {
    this.#underWay.delete(lane);
    this.#lanes.delete(lane.key);
  }

  #again(): Lane | null {
    const alone = [...this.#underWay].filter((lane) => lane.alone > 0).length;
    return this.#passedBy.shift() ?? (alone < MOST_ALONE ? this.#rested.shift() : undefined) ?? null;
  }

  /** The first key that has no lane yet. */
  #begun(): Lane | null {
    for (let pass = 0; pass < 2; pass += 1) {
      for (let next = this.#keys.next(); next.done !== true; next = this.#keys.next()) {
        const key = next.value;
        if (this.#lanes.has(key)) continue;
        const lane: Lane = { key, failures: 0, alone: 0, tookBefore: this.#took };
        this.#lanes.set(key, lane);
        return lane;
      }
      // Once at its end it shows nothing more: whatever came since is behind it.
      this.#keys = this.#spool.keys();
    }
    return null;
  }
}
