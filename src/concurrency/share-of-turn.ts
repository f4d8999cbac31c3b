/** How long something may take of a turn of the loop, and how many of it are begun in one at the most. */
export type Share = { readonly ms: number; readonly begun: number };

/** What waits to be begun, as far as it may begin now. `beginOne` does nothing where nothing does. */
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

/**
 * Begins what waits in a line, so many in each turn of the loop that it stays short, and at once where hardly any does. Where
 * others wait for turns and not for time, since each brings one of them on, one begins in a turn, and then none for as long
 * as that one took.
 */
export class BegunInShares {
  readonly #share: Share;
  readonly #atOnce: number;
  readonly #line: Line;
  readonly #areTurnsAwaited: () => boolean;
  #begun = 0;
  #restsUntil = 0;
  #isTurnAwaited = false;

  /**
   * @param atOnce how many may begin in one turn where none waits
   * @param areTurnsAwaited whether others wait for turns
   */
  constructor(share: Share, atOnce: number, line: Line, areTurnsAwaited: () => boolean = () => false) {
    this.#share = share;
    this.#atOnce = atOnce;
    this.#line = line;
    this.#areTurnsAwaited = areTurnsAwaited;
  }

  /** Whether one may begin now. If not, it is to be put in the line, and is begun in a turn that follows. */
  beginsNow(): boolean {
    this.#awaitTurn();
    if (this.#line.size > 0 || this.#begun >= this.#atOnce || this.#areTurnsAwaited()) return false;
    this.#begun += 1;
    return true;
  }

  /** Says that what waits may begin again, where it could not for a reason of its own. */
  readonly mayGoOn = (): void => this.#awaitTurn();

  #awaitTurn(): void {
    if (this.#isTurnAwaited) return;
    this.#isTurnAwaited = true;
    setImmediate(this.#nextTurn);
  }

  readonly #nextTurn = (): void => {
    this.#isTurnAwaited = false;
    this.#begun = 0;
    if (this.#line.size === 0) return;
    if (this.#areTurnsAwaited()) this.#beginOneAndRest();
    else beginShare(this.#share, this.#line.size, () => this.#line.beginOne());
    // Behind those: by then it is known how long they took.
    this.#awaitTurn();
  };

  #beginOneAndRest(): void {
    const nowMs = performance.now();
    if (nowMs < this.#restsUntil) return;
    let beganMs = nowMs;
    setImmediate(() => {
      beganMs = performance.now();
      this.#line.beginOne();
    });
    // Behind it in the same turn: what follows from one that has begun counts too.
    setImmediate(() => {
      const endedMs = performance.now();
      this.#restsUntil = endedMs + (endedMs - beganMs);
    });
  }
}
