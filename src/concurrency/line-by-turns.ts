/** What waits of several, taken by turns of them: whoever brings very much keeps themselves waiting and hardly anybody else. */
export class LineByTurns<A> {
  /** What waits of each, the next one first. */
  readonly #waiting = new Map<string, A[]>();

  add(who: string, one: A): void {
    const before = this.#waiting.get(who);
    if (before === undefined) this.#waiting.set(who, [one]);
    else before.push(one);
  }

  /** Takes the next one out; undefined where nothing waits. */
  next(): A | undefined {
    const [next] = this.#waiting;
    if (next === undefined) return undefined;
    const [who, ones] = next;
    this.#waiting.delete(who);
    const one = ones.shift();
    if (ones.length > 0) this.#waiting.set(who, ones);
    return one;
  }
}
