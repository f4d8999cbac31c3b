import { facetKey, facetOf } from '../../projections/report/index.ts';
import type { Calendar } from '../domain/business-day.ts';
import { isOrderStream, type Position } from '../domain/ids.ts';
import { comparePositions } from '../domain/position.ts';
import type { StreamEvents } from '../event-store/parted-log.ts';
import { addOrderSteps } from './order-steps.ts';
import { contributionsOf } from './reports.ts';
import type { PackedDays } from './packed-days.ts';
import { StepSums } from './step-sums.ts';
import { StreamFold } from './stream-fold.ts';

/** What some streams come to between the ends of steps; the step up to the first end has the number 0. */
export type FoldedSteps = {
  /** How many events lie in each. */
  readonly events: ReadonlyMap<number, number>;
  readonly sums: readonly PackedDays[];
};

/** Folds streams for the ends of steps, stream by stream. What is behind the last end is left out. */
export class StepFold {
  readonly #ends: readonly Position[];
  readonly #calendar: Calendar;
  readonly #sums = new StepSums();
  #events = new Map<number, number>();

  /** @param ends in their order */
  constructor(ends: readonly Position[], calendar: Calendar) {
    this.#ends = ends;
    this.#calendar = calendar;
  }

  /** How many sums there are. */
  get size(): number {
    return this.#sums.size;
  }

  /** @param fold of the same events */
  add({ stream, events }: StreamEvents, fold = new StreamFold(events)): void {
    const last = this.#ends.at(-1);
    if (last === undefined) return;
    const its = events.filter(({ position }) => comparePositions(position, last) <= 0);
    for (const event of its) {
      const step = this.#stepOf(event.position);
      if (event.stream === stream) this.#events.set(step, (this.#events.get(step) ?? 0) + 1);
    }
    if (!isOrderStream(stream)) return;
    const included = fold.of(its);
    const { order } = included.first(its.length);
    if (order === null) return;
    const facet = facetOf(order.state);
    const added = { facetKey: facetKey(facet), cells: contributionsOf(order.state, this.#calendar, facet) };
    const [stepOf, calendar] = [(position: Position) => this.#stepOf(position), this.#calendar];
    addOrderSteps(this.#sums, added, included, { stepOf, calendar });
  }

  /** What the streams so far come to; nothing is left behind. */
  take(): FoldedSteps {
    const events = this.#events;
    this.#events = new Map();
    return { events, sums: this.#sums.takePacked() };
  }

  /** The first step whose end is not before the position. */
  #stepOf(position: Position): number {
    let [from, to] = [0, this.#ends.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      const end = this.#ends[middle];
      if (end !== undefined && comparePositions(end, position) < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
