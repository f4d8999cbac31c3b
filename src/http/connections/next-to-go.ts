import { Heap, newPlace, type Place } from '../../concurrency/heap.ts';

/** What is held for less may be given back in the next turns: the rest of a body may still be in the system's buffers. */
const SHORT_MS = 1_000;

/** What decides whether one has to give something up. */
export type Ranked = {
  /** Bytes that count against it: fewer than it holds, or less than none, where it proved who it is. */
  counted: number;
  /** Milliseconds at which it began to hold the eldest of what it does, on any clock that never goes back. */
  sinceMs: number;
  /** How many had come before it: of equals the first one goes. */
  came: number;
  /** Whether it is among those that have held something for long. */
  isLong: boolean;
  readonly bySize: Place;
  readonly byAge: Place;
};

/** What one has that is not among the others yet. */
export const unranked = (): Ranked => ({
  counted: 0,
  sinceMs: 0,
  came: 0,
  isLong: false,
  bySize: newPlace(),
  byAge: newPlace(),
});

const hasMore = (one: Ranked, other: Ranked): boolean =>
  one.counted === other.counted ? one.came < other.came : one.counted > other.counted;

const bySize = (one: Ranked): Place => one.bySize;

/**
 * Those that hold something, by how much and since when, so that it costs next to nothing to say which of them is to give
 * something up: a flood from thousands of networks has that asked for each of its requests.
 */
export class NextToGo<A extends Ranked> {
  readonly #long = new Heap<A>(hasMore, bySize);
  readonly #short = new Heap<A>(hasMore, bySize);
  /** Those of the short ones, by when they will have held something for long. */
  readonly #soon = new Heap<A>(
    (one, other) => one.sinceMs < other.sinceMs,
    ({ byAge }) => byAge,
  );
  #came = 0;

  get size(): number {
    return this.#long.size + this.#short.size;
  }

  /** Puts in one that is not among them. */
  add(one: A): void {
    one.came = this.#came;
    this.#came += 1;
    this.#beShort(one);
  }

  /** Takes out one that is among them. */
  remove(one: A): void {
    (one.isLong ? this.#long : this.#short).remove(one);
    if (!one.isLong) this.#soon.remove(one);
  }

  /** Says that the `counted` of one has changed. */
  resized(one: A): void {
    (one.isLong ? this.#long : this.#short).changed(one);
  }

  /** Says that the `sinceMs` of one has changed. */
  renewed(one: A): void {
    this.remove(one);
    this.#beShort(one);
  }

  /**
   * The one that has most; but of those that have held something for long, and no less than that, the one that has most of
   * them. Undefined where there is none.
   *
   * @param least bytes that are no small part of what is held
   */
  next(nowMs: number, least: number): A | undefined {
    this.#letAge(nowMs - SHORT_MS);
    const [long, short] = [this.#long.first(), this.#short.first()];
    if (long === undefined || short === undefined) return long ?? short;
    return long.counted >= least || hasMore(long, short) ? long : short;
  }

  #beShort(one: A): void {
    one.isLong = false;
    this.#short.add(one);
    this.#soon.add(one);
  }

  #letAge(untilMs: number): void {
    for (let one = this.#soon.first(); one !== undefined && one.sinceMs <= untilMs; one = this.#soon.first()) {
      this.#soon.remove(one);
      this.#short.remove(one);
      one.isLong = true;
      this.#long.add(one);
    }
  }
}
