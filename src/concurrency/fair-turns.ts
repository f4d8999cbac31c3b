import { inTime } from './in-time.ts';
import { LineByRounds } from './line-by-rounds.ts';

/** Nobody tells when somebody who waits hangs up: it is looked at. */
const LOOK_EVERY_MS = 250;

/**
 * Work of several who are few, such as keys, that is done so much at once. What waits is begun by turns, one of each who
 * waits and whoever had none before the others, so that who brings very much keeps themselves waiting and hardly anybody else.
 */
export class FairTurns {
  readonly #atOnce: number;
  readonly #waiting = new LineByRounds<() => void>();
  #begun = 0;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  async run<A>(who: string, work: () => Promise<A>): Promise<A> {
    // At once where there is room: nothing that others do comes in between.
    if (!this.#beginsAtOnce(who)) await this.#inLine(who).promise;
    try {
      return await work();
    } finally {
      this.#next();
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
      this.#next();
    };
    if (isAwaited()) return end;
    end();
    return null;
  }

  /** Whether there is a turn: not where nobody waited for it any more. */
  async #turn(who: string, isAwaited: () => boolean): Promise<boolean> {
    if (this.#beginsAtOnce(who)) return true;
    const { promise, resolve } = this.#inLine(who);
    while ((await inTime(LOOK_EVERY_MS, promise, 'waits')) === 'waits') {
      if (!isAwaited() && this.#waiting.remove(who, resolve)) return false;
    }
    return true;
  }

  /** Begins a turn where there is room for it. */
  #beginsAtOnce(who: string): boolean {
    if (this.#begun >= this.#atOnce) return false;
    this.#begun += 1;
    this.#waiting.noteTurn(who);
    return true;
  }

  #inLine(who: string): PromiseWithResolvers<void> {
    const place = Promise.withResolvers<void>();
    this.#waiting.add(who, place.resolve);
    return place;
  }

  #next(): void {
    const begin = this.#waiting.next();
    if (begin === undefined) this.#begun -= 1;
    else begin();
  }
}
