import { CellSums, type DaySum } from './cell-sums.ts';
import { packedDays, type PackedDays } from './packed-days.ts';

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

  /** The sums of days so far, step by step; nothing is left behind. */
  *take(): Generator<readonly [step: number, sums: Iterable<DaySum>], void> {
    for (const [step, sums] of this.#steps) {
      yield [step, sums.takeDays()];
      this.#steps.delete(step);
    }
  }

  /** The same for another thread. */
  takePacked(): readonly PackedDays[] {
    return Array.from(this.take(), ([step, sums]) => packedDays(step, sums));
  }
}
