/**
 * So many sessions of one key are remembered one by one: people sign out a few times a day. Who holds a key makes as many
 * sessions as they like, and ends them.
 */
const MOST_EACH = 1_000;

/** When the session would have been over, in seconds since the Unix epoch, by the digest of its nonce. */
type ByDigest = Map<string, number>;

/** The sessions of one key that somebody signed out of, in a memory that does not grow with how many they are. */
export class EndedOfKey {
  readonly #each: ByDigest = new Map();
  #allUntil = 0;

  /** Sessions that would be over by then count as ended, all of them. */
  get allUntil(): number {
    return this.#allUntil;
  }

  get each(): ReadonlyMap<string, number> {
    return this.#each;
  }

  has(digest: string, expiresAt: number): boolean {
    return expiresAt <= this.#allUntil || this.#each.has(digest);
  }

  endAllUntil(expiresAt: number): void {
    this.#allUntil = Math.max(this.#allUntil, expiresAt);
  }

  /**
   * Where they become too many, the half that is over first is no longer told from the others of its time, and whoever
   * signed in before with this key does so again. None comes back, whatever the clock does.
   *
   * @param mostAhead when a session that begins now will be over: nobody is kept from signing in later
   */
  end(digest: string, expiresAt: number, mostAhead: number): void {
    this.#each.set(digest, expiresAt);
    if (this.#each.size <= MOST_EACH) return;
    const first = [...this.#each].toSorted(([, a], [, b]) => a - b).slice(0, MOST_EACH / 2);
    for (const [one, until] of first) {
      this.#each.delete(one);
      this.endAllUntil(Math.min(until, mostAhead));
    }
  }
}
