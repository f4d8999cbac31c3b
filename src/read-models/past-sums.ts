import * as E from 'fp-ts/lib/Either.js';
import type { Cell } from '../../projections/report/index.ts';
import { atMost } from '../concurrency/at-most.ts';
import { wait } from '../concurrency/wait.ts';
import { businessCalendar, type Calendar } from '../domain/business-day.ts';
import type { Position, StreamName } from '../domain/ids.ts';
import type { readLedgerEvent } from '../domain/ledger-event.ts';
import { comparePositions, positionNumber } from '../domain/position.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import type { EventStore, StoreUnavailable } from '../event-store/event-store.ts';
import { DayCells } from './day-cells.ts';
import { orderStretches, type OrderStretch } from './order-stretches.ts';
import { projectOrder } from './projected-order.ts';
import { readingOnce } from './reading-once.ts';
import { contributionsOf } from './reports.ts';
import { WaysToMoments } from './ways-to-moments.ts';

/**
 * What reports came to at a moment: what they come to at another one, `upTo`, and these cells. `upTo` null: before the
 * first event, so that the cells are all there is.
 */
type SumsThen = { readonly upTo: Position | null; readonly cells: readonly Cell[] };

type Store = Pick<EventStore, 'readAll' | 'readStream'>;
type Failable<A> = Promise<E.Either<StoreUnavailable, A>>;
type Kept = SumsThen & { readonly at: Position | null };

/** How ways to moments are cut up, and how much is kept. No way is near that is longer than a step. */
export type WayOptions = {
  /** Events of a step; those of orders are in memory meanwhile, at a kilobyte or two each. */
  readonly eventsOfAStep: number;
  /** On a long way every so manieth step is kept, so that no later moment beside it is far. */
  readonly stepsBetweenKept: number;
  /** Of all kept moments together, at a few hundred bytes each. */
  readonly mostCells: number;
};

export const USUAL_WAY: WayOptions = { eventsOfAStep: 10_000, stepsBetweenKept: 5, mostCells: 200_000 };

/** Streams that are read at a time: each is a question to a store that may be on another machine. */
const READS_AT_ONCE = 32;
/** Orders behind each other, after which others have their turn. */
const ORDERS_AT_A_STRETCH = 512;

const numberOf = (position: Position | null): number => (position === null ? 0 : positionNumber(position));

const distance = (a: Position | null, b: Position | null): number => Math.abs(numberOf(a) - numberOf(b));

/** How much of the log lies between what is kept and a moment, beside another one that is known. */
const lengthFrom = (kept: Kept, at: Position | null, known: Position | null): number =>
  distance(kept.at, at) + (kept.upTo === null ? 0 : distance(kept.upTo, known));

const cellsOf = (
  events: readonly RecordedEvent[],
  calendar: Calendar,
  readEvent: typeof readLedgerEvent,
): readonly Cell[] => {
  const { order } = projectOrder(events, readEvent);
  return order === null ? [] : contributionsOf(order.state, calendar);
};

/** What reports came to before a stretch of the log, less what they came to behind it. */
const stepOver = async (
  store: Store,
  { upTo, streams }: OrderStretch,
  after: Position | null,
  calendar: Calendar,
): Failable<readonly Cell[]> => {
  const sums = new DayCells();
  const all = [...streams];
  for (let from = 0; from < all.length; from += ORDERS_AT_A_STRETCH) {
    const some = all.slice(from, from + ORDERS_AT_A_STRETCH);
    // An order whose first event is of the stretch was not there before, and all that it was is at hand.
    const whole = await atMost(
      READS_AT_ONCE,
      some,
      ([stream, events]: readonly [StreamName, readonly RecordedEvent[]]) =>
        events[0]?.revision === 0 ? Promise.resolve(E.right(events)) : store.readStream(stream)(),
    );
    if (E.isLeft(whole)) return whole;
    for (const events of whole.right) {
      const readEvent = readingOnce();
      const before = events.filter(({ position }) => comparePositions(position, after) <= 0);
      const behind = events.filter(({ position }) => comparePositions(position, upTo) <= 0);
      if (before.length > 0) sums.add(cellsOf(before, calendar, readEvent), 1);
      sums.add(cellsOf(behind, calendar, readEvent), -1);
    }
    await wait(0);
  }
  return E.right(sums.cells());
};

/**
 * What reports came to at moments of the log, of one time zone. The way to a moment begins at the nearest one that is
 * known: the one that the asker knows, that before the first event, or one that was asked for before or lay on the way to it. So it costs
 * as much as there are events between, however long the log is (docs/decisions/0021-periods.md).
 */
class SumsOfZone {
  readonly #store: Store;
  readonly #calendar: Calendar;
  readonly #timeZone: string;
  readonly #options: WayOptions;
  readonly #ways: WaysToMoments;
  /** The one that was used last is last. */
  readonly #kept = new Map<Position | null, Kept>();

  constructor(store: Store, timeZone: string, options: WayOptions, ways: WaysToMoments) {
    this.#store = store;
    this.#calendar = businessCalendar(timeZone);
    this.#timeZone = timeZone;
    this.#options = options;
    this.#ways = ways;
  }

  /**
   * What they came to at a position, beside what they come to at another one, which the asker knows.
   *
   * @param gone aborted when the asker no longer waits: what was not begun by then is not begun
   */
  at(at: Position | null, known: Position | null, gone?: AbortSignal): Failable<SumsThen> {
    return this.#ways.go({
      to: `sums ${this.#timeZone} ${at ?? ''}`,
      length: () => lengthFrom(this.#nearest(at, known), at, known),
      go: () => this.#way(this.#nearest(at, known), at, known),
      gone,
    });
  }

  #nearest(at: Position | null, known: Position | null): Kept {
    const ways: readonly Kept[] = [
      { at: known, upTo: known, cells: [] },
      { at: null, upTo: null, cells: [] },
      ...this.#kept.values(),
    ];
    return ways.reduce((best, way) => (lengthFrom(way, at, known) < lengthFrom(best, at, known) ? way : best));
  }

  async #way(kept: Kept, at: Position | null, known: Position | null): Failable<SumsThen> {
    const upTo = kept.upTo === null ? null : known;
    if (kept.at === at && kept.upTo === upTo) {
      this.#keep(kept);
      return E.right(kept);
    }
    const sums = new DayCells(kept.cells);
    if (kept.upTo !== null) {
      // What it is beside is another one by now.
      const [from, to, sign] =
        comparePositions(kept.upTo, known) <= 0 ? [kept.upTo, known, 1 as const] : [known, kept.upTo, -1 as const];
      const moved = await this.#steps(from, to);
      if (E.isLeft(moved)) return moved;
      for (const { cells } of moved.right) sums.add(cells, sign);
    }
    const isBack = comparePositions(at, kept.at) < 0;
    const steps = await (isBack ? this.#steps(at, kept.at) : this.#steps(kept.at, at));
    if (E.isLeft(steps)) return steps;
    for (const [i, { after, upTo: end, cells }] of (isBack ? steps.right.toReversed() : steps.right).entries()) {
      sums.add(cells, isBack ? 1 : -1);
      if ((i + 1) % this.#options.stepsBetweenKept === 0)
        this.#keep({ at: isBack ? after : end, upTo, cells: sums.cells() });
    }
    const then: Kept = { at, upTo, cells: sums.cells() };
    this.#keep(then);
    return E.right(then);
  }

  async #steps(
    from: Position | null,
    to: Position | null,
  ): Failable<
    readonly { readonly after: Position | null; readonly upTo: Position; readonly cells: readonly Cell[] }[]
  > {
    const steps: { after: Position | null; upTo: Position; cells: readonly Cell[] }[] = [];
    if (to === null || comparePositions(from, to) >= 0) return E.right(steps);
    let after = from;
    for await (const stretch of orderStretches(this.#store, from, to, this.#options.eventsOfAStep)) {
      if (E.isLeft(stretch)) return stretch;
      const cells = await stepOver(this.#store, stretch.right, after, this.#calendar);
      if (E.isLeft(cells)) return cells;
      steps.push({ after, upTo: stretch.right.upTo, cells: cells.right });
      after = stretch.right.upTo;
    }
    return E.right(steps);
  }

  #keep(kept: Kept): void {
    this.#kept.delete(kept.at);
    this.#kept.set(kept.at, kept);
    let cells = 0;
    for (const other of this.#kept.values()) cells += other.cells.length + 1;
    for (const [at, other] of this.#kept) {
      if (cells <= this.#options.mostCells || at === kept.at) break;
      this.#kept.delete(at);
      cells -= other.cells.length + 1;
    }
  }
}

/** What reports came to at moments of the log. */
export class PastSums {
  readonly #store: Store;
  readonly #options: WayOptions;
  readonly #ways: WaysToMoments;
  #ofZone: { readonly timeZone: string; readonly sums: SumsOfZone } | null = null;

  /** @param ways those of whatever else is looked for in the same log */
  constructor(store: Store, options = USUAL_WAY, ways = new WaysToMoments(options.eventsOfAStep)) {
    this.#store = store;
    this.#options = options;
    this.#ways = ways;
  }

  /** Those of a time zone: the one that was asked for last is kept. */
  of(timeZone: string): Pick<SumsOfZone, 'at'> {
    if (this.#ofZone?.timeZone !== timeZone)
      this.#ofZone = { timeZone, sums: new SumsOfZone(this.#store, timeZone, this.#options, this.#ways) };
    return this.#ofZone.sums;
  }
}
