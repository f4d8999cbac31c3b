/** As many events as the projecting thread takes at a time in a burst; their texts take some 2 MB. */
const MOST = 4_096;

/**
 * Where the record's digest stands in texts of metadata that were gone through: projections search a batch, and behind them
 * the tree of the log needs its digests, in the same order. A queue, so that nothing has to be searched for: where a text is
 * not the next one, all that came before is let go of.
 */
export class DigestPlaces {
  readonly #texts: string[] = [];
  readonly #places = new Int32Array(MOST);
  /** Behind the last that was added, and the one that is expected next. */
  #end = 0;
  #next = 0;

  /** A text was gone through; the oldest one is forgotten where there are too many. */
  add(text: string, at: number): void {
    this.#texts[this.#end] = text;
    this.#places[this.#end] = at;
    this.#end = (this.#end + 1) % MOST;
  }

  /** Where the digest stands in a text; null where that is not the next of those that were added. */
  take(text: string): number | null {
    if (this.#texts[this.#next] !== text) {
      this.#next = this.#end;
      return null;
    }
    const at = this.#places[this.#next] ?? null;
    this.#texts[this.#next] = '';
    this.#next = (this.#next + 1) % MOST;
    return at;
  }
}
