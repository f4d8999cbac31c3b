/** How long something may take of a turn of the loop, and how many of it are begun in one at the most. */
export type Share = { readonly ms: number; readonly begun: number };

/** What waits to be begun. `beginOne` does nothing where nothing waits. */
type Line = { readonly size: number; readonly beginOne: () => void };

/**
 * Begins so many of those that wait as have room in a turn: an immediate each, so that what follows from one that has begun
 * counts too before the next begins.
 */
export const beginShare = ({ ms, begun }: Share, waiting: number, beginOne: () => void): void => {
  let began: number | null = null;
  const begin = (): void => {
    began ??= performance.now();
    if (performance.now() - began < ms) beginOne();
  };
  for (let many = 0; many < Math.min(begun, waiting); many += 1) setImmediate(begin);
};

/** Begins what waits in a line, so many in each turn of the loop that it stays short, and at once where hardly any does. */
export class BegunInShares {
  readonly #share: Share;
  readonly #atOnce: number;
  readonly #line: Line;
  #begun = 0;
  #isTurnAwaited = false;

  /** @param atOnce how many may begin in one turn where none waits */
  constructor(share: Share, atOnce: number, line: Line) {
    this.#share = share;
    this.#atOnce = atOnce;
    this.#line = line;
  }

  /** Whether one may begin now. If not, it is to be put in the line, and is begun in a turn that follows. */
  beginsNow(): boolean {
    this.#awaitTurn();
    if (this.#line.size > 0 || this.#begun >= this.#atOnce) return false;
    this.#begun += 1;
    return true;
  }

  #awaitTurn(): void {
    if (this.#isTurnAwaited) return;
    this.#isTurnAwaited = true;
    setImmediate(this.#nextTurn);
  }

  readonly #nextTurn = (): void => {
    this.#isTurnAwaited = false;
    this.#begun = 0;
    if (this.#line.size === 0) return;
    this.#awaitTurn();
    beginShare(this.#share, this.#line.size, () => this.#line.beginOne());
  };
}
