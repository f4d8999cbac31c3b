import { CellSums, type DaySum } from './cell-sums.ts';

/** What reports changed by in a step of the log, by its number. */
export type StepDays = { readonly step: number; readonly sums: readonly DaySum[] };

/** Gathers what reports changed by, step by step. */
export class StepSums {
  readonly #steps = new Map<number, CellSums>();

  /** How many sums there are. */
  get size(): number {
    let size = 0;
    for (const sums of this.#steps.values()) size += sums.size;
    return size;
  }

  /** Those of a step. */
  of(step: number): CellSums {
    const known = this.#steps.get(step);
    if (known !== undefined) return known;
    const sums = new CellSums();
    this.#steps.set(step, sums);
    return sums;
  }

  /** The sums of days so far; nothing is left behind. */
  take(): readonly StepDays[] {
    const taken = [...this.#steps].map(([step, sums]) => ({ step, sums: sums.takeDays() }));
    this.#steps.clear();
    return taken;
  }
}
