import { inTime } from './in-time.ts';
import { LineByRounds } from './line-by-rounds.ts';

/** Nobody tells when somebody who waits hangs up: it is looked at. */
const LOOK_EVERY_MS = 250;

/** A place in the line, and what begins its turn. */
type InLine = { readonly promise: Promise<void>; readonly begin: () => void };

/**
 * Work of several who are few, such as keys, that is done so much at once. What waits is begun by turns, one of each who
 * waits and whoever had none before the others, so that who brings very much keeps themselves waiting and hardly anybody else.
 * What is under way is waited for whatever the turns are: so nobody has more than some of it.
 */
export class FairTurns {
  readonly #atOnce: number;
  readonly #ofOne: number;
  readonly #waiting = new LineByRounds<() => void>();
  /** How many of each are under way. */
  readonly #of = new Map<string, number>();
  #begun = 0;

  /** @param ofOne how many of these somebody may have, whether others come or not */
  constructor(atOnce: number, ofOne = atOnce) {
    this.#atOnce = atOnce;
    this.#ofOne = ofOne;
  }

  async run<A>(who: string, work: () => Promise<A>): Promise<A> {
    // At once where there is room: nothing that others do comes in between.
    if (!this.#beginsAtOnce(who)) await this.#inLine(who).promise;
    try {
      return await work();
    } finally {
      this.#end(who);
    }
  }

  /**
   * Waits for a turn that lasts longer than a call.
   *
   * @param isAwaited whether somebody still waits for what is to be done
   * @returns what ends the turn, further calls doing nothing; null where nobody waited any more, who has left the line then
   */
  async take(who: string, isAwaited: () => boolean): Promise<(() => void) | null> {
    if (!isAwaited() || !(await this.#turn(who, isAwaited))) return null;
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      this.#end(who);
    };
    if (isAwaited()) return end;
    end();
    return null;
  }

  /** Whether there is a turn: not where nobody waited for it any more. */
  async #turn(who: string, isAwaited: () => boolean): Promise<boolean> {
    if (this.#beginsAtOnce(who)) return true;
    const { promise, begin } = this.#inLine(who);
    while ((await inTime(LOOK_EVERY_MS, promise, 'waits')) === 'waits') {
      if (!isAwaited() && this.#waiting.remove(who, begin)) return false;
    }
    return true;
  }

  /** Begins a turn where there is room for it. */
  #beginsAtOnce(who: string): boolean {
    if (this.#begun >= this.#atOnce || !this.#mayHave(who)) return false;
    this.#begin(who);
    this.#waiting.noteTurn(who);
    return true;
  }

  readonly #mayHave = (who: string): boolean => (this.#of.get(who) ?? 0) < this.#ofOne;

  #begin(who: string): void {
    this.#begun += 1;
    this.#of.set(who, (this.#of.get(who) ?? 0) + 1);
  }

  #inLine(who: string): InLine {
    const { promise, resolve } = Promise.withResolvers<void>();
    const begin = (): void => {
      this.#begin(who);
      resolve();
    };
    this.#waiting.add(who, begin);
    return { promise, begin };
  }

  #end(who: string): void {
    this.#begun -= 1;
    const left = (this.#of.get(who) ?? 1) - 1;
    if (left === 0) this.#of.delete(who);
    else this.#of.set(who, left);
    this.#waiting.next(this.#mayHave)?.();
  }
}
