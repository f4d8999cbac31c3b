/**
 * What waits of several who are few, such as keys, taken in rounds: each has one turn in a round, and whoever had none goes
 * before all who had theirs, when they came. So who comes beside one who brings very much waits for what is under way,
 * and for nothing else of it. (`LineByTurns` is for those who may be without number: there nobody is passed by newcomers.)
 */
export class LineByRounds<A> {
  /** What waits of those who had no turn in this round, the next one first. */
  #first = new Map<string, A[]>();
  /** And of those who had theirs. */
  #again = new Map<string, A[]>();
  readonly #served = new Set<string>();

  add(who: string, one: A): void {
    const line = this.#served.has(who) ? this.#again : this.#first;
    const before = line.get(who);
    if (before === undefined) line.set(who, [one]);
    else before.push(one);
  }

  /** Counts a turn of somebody who did not have to wait for it. */
  noteTurn(who: string): void {
    this.#served.add(who);
  }

  /**
   * Takes the next one out; undefined where nothing waits that may be.
   *
   * @param isTaken whose may be taken now; the others keep their places
   */
  next(isTaken: (who: string) => boolean = () => true): A | undefined {
    if (this.#first.size === 0) this.#beginRound();
    return this.#nextOf(this.#first, isTaken) ?? this.#nextOf(this.#again, isTaken);
  }

  #nextOf(line: Map<string, A[]>, isTaken: (who: string) => boolean): A | undefined {
    for (const [who, ones] of line) {
      if (!isTaken(who)) continue;
      line.delete(who);
      this.#served.add(who);
      const one = ones.shift();
      if (ones.length > 0) this.#again.set(who, ones);
      return one;
    }
    return undefined;
  }

  /** Takes one out before its turn; answers whether it was still there. */
  remove(who: string, one: A): boolean {
    for (const line of [this.#first, this.#again]) {
      const ones = line.get(who) ?? [];
      const at = ones.indexOf(one);
      if (at === -1) continue;
      ones.splice(at, 1);
      if (ones.length === 0) line.delete(who);
      return true;
    }
    return false;
  }

  #beginRound(): void {
    [this.#first, this.#again] = [this.#again, this.#first];
    this.#served.clear();
  }
}
