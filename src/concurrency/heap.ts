/** Where one stands in a heap; of a place for each heap that it may be in at a time. */
export type Place = { at: number };

const OUT = -1;

/** The place of one that is in no heap yet. */
export const newPlace = (): Place => ({ at: OUT });

/**
 * Those of which the first one is asked for again and again while any of them may come, go or change: each takes the
 * logarithm of how many there are, and the first one is at hand. Nothing is allotted for it but one list.
 */
export class Heap<A> {
  readonly #isBefore: (one: A, other: A) => boolean;
  readonly #placeOf: (one: A) => Place;
  readonly #ones: A[] = [];

  /**
   * @param isBefore whether one is to be asked for before another
   * @param placeOf the place of one in this heap
   */
  constructor(isBefore: (one: A, other: A) => boolean, placeOf: (one: A) => Place) {
    this.#isBefore = isBefore;
    this.#placeOf = placeOf;
  }

  get size(): number {
    return this.#ones.length;
  }

  /** The one that none is before; undefined where there is none at all. */
  first(): A | undefined {
    return this.#ones[0];
  }

  /** Puts in one that is not in it. */
  add(one: A): void {
    this.#put(one, this.#ones.length);
    this.#forward(one);
  }

  /** Takes out one that is in it. */
  remove(one: A): void {
    const place = this.#placeOf(one);
    const last = this.#ones.pop();
    if (last !== undefined && last !== one) {
      this.#put(last, place.at);
      this.changed(last);
    }
    place.at = OUT;
  }

  /** Says that one that is in it may be before or behind others now that it was not before or behind. */
  changed(one: A): void {
    this.#forward(one);
    this.#back(one);
  }

  #put(one: A, at: number): void {
    this.#ones[at] = one;
    this.#placeOf(one).at = at;
  }

  #forward(one: A): void {
    const place = this.#placeOf(one);
    while (place.at > 0) {
      const { at } = place;
      const above = this.#ones[(at - 1) >> 1];
      if (above === undefined || !this.#isBefore(one, above)) return;
      this.#put(one, (at - 1) >> 1);
      this.#put(above, at);
    }
  }

  #back(one: A): void {
    const place = this.#placeOf(one);
    for (;;) {
      const { at } = place;
      const [left, right] = [this.#ones[2 * at + 1], this.#ones[2 * at + 2]];
      const below = left !== undefined && right !== undefined && this.#isBefore(right, left) ? right : left;
      if (below === undefined || !this.#isBefore(below, one)) return;
      this.#put(one, this.#placeOf(below).at);
      this.#put(below, at);
    }
  }
}
