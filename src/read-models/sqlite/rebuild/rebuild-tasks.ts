import { addAll } from '../../../domain/add-all.ts';
import * as E from 'fp-ts/lib/Either.js';
import { auditMark } from '../../../../projections/audit-trail/index.ts';
import { orderAlone } from '../../../../projections/match/match-item.ts';
import { matchOrderOf } from '../../../../projections/match/match-order.ts';
import type { Calendar } from '../../../domain/business-day.ts';
import type { Position } from '../../../domain/ids.ts';
import { comparePositions } from '../../../domain/position.ts';
import type { RecordedEvent } from '../../../domain/recorded-event.ts';
import type { StoreUnavailable } from '../../../event-store/event-store.ts';
import type { PartedLog } from '../../../event-store/parted-log.ts';
import type { BankChange } from '../../bank-change.ts';
import { markOf } from '../../audit-chunk.ts';
import { MarkLoad, type LoadedMarks } from '../../loaded-marks.ts';
import { OrderLoad, type LoadedOrders } from '../../loaded-orders.ts';
import { stepsBetween, USUAL_STEPS, type LogStep, type StepSizes } from '../../log-steps.ts';
import { orderClaims } from '../../match-terms.ts';
import { orderRow } from '../../order-row.ts';
import { addOrderSteps } from '../../order-steps.ts';
import type { ProjectedOrder } from '../../projected-order.ts';
import type { QuarantineChange } from '../../quarantine-change.ts';
import type { MatchChange } from '../../match-change.ts';
import { projectPart } from '../../rebuild-task.ts';
import type { PackedDays } from '../../packed-days.ts';
import { StepSums } from '../../step-sums.ts';
import type { StreamFold } from '../../stream-fold.ts';
import { orderRef } from '../match/match-refs.ts';
import { termOf } from '../terms/term.ts';
import { TermSegment, type TermRun } from '../terms/term-segment.ts';

/** What some parts of the log come to; what their orders add to reports and terms is gathered already. */
export type LoadedPart = {
  readonly events: number;
  readonly orders: LoadedOrders;
  readonly marks: LoadedMarks;
  readonly quarantine: readonly QuarantineChange[];
  readonly match: readonly MatchChange[];
  readonly bank: readonly BankChange[];
  readonly unreadable: number;
  /** As far as events of the part lie in them. */
  readonly steps: readonly LogStep[];
  readonly gathered: Gathered;
};

/** What was gathered over several parts, and goes into the generation in large pieces. */
export type Gathered = {
  readonly sums: readonly PackedDays[];
  readonly terms: TermRun;
  readonly ids: TermRun;
  readonly match: TermRun;
  readonly audit: TermRun;
};

/** The tasks of a build, and how many of them can be under way. */
export type RebuildTasks = {
  /** How many tasks there are that project parts of the log. */
  readonly parts: number;
  readonly width: number;
  /** Projects the parts of one task. */
  readonly part: (task: number) => Promise<E.Either<StoreUnavailable, LoadedPart>>;
  /** What is still gathered when no task is under way any more. */
  readonly rest: () => Promise<E.Either<StoreUnavailable, readonly Gathered[]>>;
};

/** Parts of the log that are projected in one task: what a task costs beside is little then. */
const PARTS_OF_A_TASK = 8;

/** How many tasks it takes to project so many parts of the log. */
export const partTasks = (parts: number): number => Math.ceil(parts / PARTS_OF_A_TASK);

/** Orders of a task get numbers of a range of their own, so that tasks can go on side by side. */
const NUMBERS_OF_A_TASK = 1_048_576;

/** Gathered entries of a kind and sums, about, at the most: some tens of MB, however long the log is. */
const MOST_TERMS = 262_144;
const MOST_SUMS = 20_000;

const NO_TERMS: TermRun = { size: 0, fences: new Uint8Array(), blocks: [] };

type StepOf = (position: Position) => number;

/** A step as far as events of a task lie in it. */
type StepPart = { readonly no: number; upTo: Position; events: number };

const addEvent = (steps: Map<number, StepPart>, no: number, position: Position): void => {
  const known = steps.get(no);
  if (known === undefined) {
    steps.set(no, { no, upTo: position, events: 1 });
    return;
  }
  known.events += 1;
  if (comparePositions(known.upTo, position) < 0) known.upTo = position;
};

/** Runs the tasks of a build where it is called: in a thread of its own, or for a small log in the builder's. */
export class LocalTasks {
  readonly #store: Pick<PartedLog, 'readPart' | 'readHeaders'>;
  readonly #upTo: Position;
  readonly #calendar: Calendar;
  readonly #sizes: StepSizes;
  #stepOf: StepOf | null = null;
  readonly #sums = new StepSums();
  readonly #terms = new TermSegment('order');
  readonly #ids = new TermSegment('id');
  readonly #match = new TermSegment('match');
  readonly #audit = new TermSegment('audit');

  constructor(
    store: Pick<PartedLog, 'readPart' | 'readHeaders'>,
    upTo: Position,
    calendar: Calendar,
    sizes = USUAL_STEPS,
  ) {
    this.#store = store;
    this.#upTo = upTo;
    this.#calendar = calendar;
    this.#sizes = sizes;
  }

  async part(task: number): Promise<E.Either<StoreUnavailable, LoadedPart>> {
    const cut = await this.#cut();
    if (E.isLeft(cut)) return cut;
    const stepOf = cut.right;
    const orders = new OrderLoad(task * NUMBERS_OF_A_TASK + 1);
    const marks = new MarkLoad();
    const steps = new Map<number, StepPart>();
    const take = {
      order: (order: ProjectedOrder, fold: StreamFold) => this.#addOrder(order, fold, orders, stepOf),
      event: (event: RecordedEvent) => {
        this.#addEvent(event, marks);
        addEvent(steps, stepOf(event.position), event.position);
      },
    };
    const quarantine: QuarantineChange[] = [];
    const match: MatchChange[] = [];
    const bank: BankChange[] = [];
    let [events, unreadable] = [0, 0];
    for (let part = task * PARTS_OF_A_TASK; part < (task + 1) * PARTS_OF_A_TASK; part += 1) {
      const projected = await projectPart(this.#store, part, this.#upTo, take);
      if (E.isLeft(projected)) return projected;
      events += projected.right.events;
      unreadable += projected.right.unreadable;
      addAll(quarantine, projected.right.quarantine);
      addAll(match, projected.right.match);
      addAll(bank, projected.right.bank);
    }
    const loaded = {
      orders: orders.loaded(),
      marks: marks.loaded(),
      quarantine,
      match,
      bank,
      steps: [...steps.values()],
    };
    return E.right({ events, ...loaded, unreadable, gathered: this.#gathered(MOST_TERMS, MOST_SUMS) });
  }

  /** The step of each position; every task cuts the log alike, from its first event on. */
  async #cut(): Promise<E.Either<StoreUnavailable, StepOf>> {
    if (this.#stepOf !== null) return E.right(this.#stepOf);
    let first = this.#upTo;
    for await (const page of this.#store.readHeaders(null, this.#upTo)) {
      if (E.isLeft(page)) return page;
      first = page.right[0]?.position ?? first;
      break;
    }
    this.#stepOf = stepsBetween(first, this.#upTo, this.#sizes);
    return E.right(this.#stepOf);
  }

  #addOrder(order: ProjectedOrder, fold: StreamFold, orders: OrderLoad, stepOf: StepOf): void {
    const its = matchOrderOf(order.state, this.#calendar);
    const row = orderRow(order, this.#calendar, its);
    addOrderSteps(this.#sums, row, fold, { stepOf, calendar: this.#calendar });
    const no = orders.add(row, orderAlone(its), orderClaims(its));
    for (const term of row.terms) this.#terms.add(term, row.termRank, no);
    this.#ids.add(termOf(row.orderId), no, no);
    for (const term of row.matchTerms) this.#match.add(term, orderRef(no), orderRef(no));
  }

  #addEvent(event: RecordedEvent, marks: MarkLoad): void {
    const audit = auditMark(event);
    const mark = markOf(audit);
    marks.add(mark);
    for (const term of audit.terms) this.#audit.add(term, mark.position, mark.position);
  }

  rest(): Gathered {
    return this.#gathered(0, 0);
  }

  /** Of each kind what was gathered, where that is so much. */
  #gathered(terms: number, sums: number): Gathered {
    const taken = (segment: TermSegment): TermRun => (segment.size >= terms ? segment.take() : NO_TERMS);
    return {
      sums: this.#sums.size >= sums ? this.#sums.takePacked() : [],
      terms: taken(this.#terms),
      ids: taken(this.#ids),
      match: taken(this.#match),
      audit: taken(this.#audit),
    };
  }
}

/** Tasks in the builder's own thread. */
export const localTasks = (local: LocalTasks, parts: number): RebuildTasks => ({
  parts: partTasks(parts),
  width: 1,
  part: (task) => local.part(task),
  rest: () => Promise.resolve(E.right([local.rest()])),
});
