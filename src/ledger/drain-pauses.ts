import { backOff, type BackOff } from '../concurrency/back-off.ts';
import type { Wait } from '../concurrency/wait.ts';

export type PauseDeps = {
  readonly wait: Wait;
  /** At least 0 and below 1. */
  readonly random: () => number;
};

/** Between tries that fail one after the other. */
const PAUSES: BackOff = { firstMs: 100, longestMs: 5_000 };

/** When nothing of a spool is tried: while the store is away, and for longer each time in a row. */
export class DrainPauses {
  readonly #deps: PauseDeps;
  readonly #closing: AbortSignal;
  #inARow = 0;
  #ending: AbortController | null = null;

  /** `closing` ends every pause. */
  constructor(deps: PauseDeps, closing: AbortSignal) {
    this.#deps = deps;
    this.#closing = closing;
  }

  /** How many there were since the store took or answered anything last. */
  get inARow(): number {
    return this.#inARow;
  }

  get isNow(): boolean {
    return this.#ending !== null;
  }

  /** The store took or answered something: the next pause is a short one. */
  readonly beginAnew = (): void => {
    this.#inARow = 0;
  };

  /** Ends the pause of now. */
  readonly end = (): void => {
    this.#inARow = 0;
    this.#ending?.abort();
  };

  /** Resolves when the pause is over; at once where there is one already, so that those that fail together count once. */
  readonly begin = async (): Promise<void> => {
    if (this.#ending !== null || this.#closing.aborted) return;
    const ended = new AbortController();
    this.#ending = ended;
    this.#inARow += 1;
    const { wait, random } = this.#deps;
    await wait(backOff(PAUSES, this.#inARow, random), AbortSignal.any([ended.signal, this.#closing]));
    this.#ending = null;
  };

  /** Resolves when what failed alone, so often in a row, may be tried again; others are tried meanwhile. */
  readonly rest = (failures: number): Promise<void> => {
    const { wait, random } = this.#deps;
    return wait(backOff(PAUSES, failures, random), this.#closing);
  };
}
