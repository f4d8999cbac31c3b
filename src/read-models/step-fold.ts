import { facetKey, facetOf } from '../../projections/report/index.ts';
import type { Calendar } from '../domain/business-day.ts';
import { isOrderStream, type Position } from '../domain/ids.ts';
import { positionNumber } from '../domain/position.ts';
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
  /** As numbers: each event is compared with some of them. */
  readonly #ends: Float64Array;
  readonly #calendar: Calendar;
  readonly #sums = new StepSums();
  #events = new Map<number, number>();

  /** @param ends in their order */
  constructor(ends: readonly Position[], calendar: Calendar) {
    this.#ends = Float64Array.from(ends, positionNumber);
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
    for (const event of events) {
      const position = positionNumber(event.position);
      if (position > last || event.stream !== stream) continue;
      const step = this.#stepOf(position);
      this.#events.set(step, (this.#events.get(step) ?? 0) + 1);
    }
    if (!isOrderStream(stream)) return;
    const included = fold.of(({ position }) => positionNumber(position) <= last);
    const { order } = included.first(included.events.length);
    if (order === null) return;
    const facet = facetOf(order.state);
    const added = { facetKey: facetKey(facet), cells: contributionsOf(order.state, this.#calendar, facet) };
    addOrderSteps(this.#sums, added, included, { stepOf: this.#stepAt, calendar: this.#calendar });
  }

  /** What the streams so far come to; nothing is left behind. */
  take(): FoldedSteps {
    const events = this.#events;
    this.#events = new Map();
    return { events, sums: this.#sums.takePacked() };
  }

  readonly #stepAt = (position: Position): number => this.#stepOf(positionNumber(position));

  /** The first step whose end is not before the position. */
  #stepOf(position: number): number {
    let [from, to] = [0, this.#ends.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      const end = this.#ends[middle];
      if (end !== undefined && end < position) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
