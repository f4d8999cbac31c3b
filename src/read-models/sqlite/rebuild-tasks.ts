import * as E from 'fp-ts/lib/Either.js';
import type { AuditMark } from '../../../projections/audit-trail/index.ts';
import { orderAlone } from '../../../projections/match/match-item.ts';
import { matchOrderOf } from '../../../projections/match/match-order.ts';
import type { Calendar } from '../../domain/business-day.ts';
import type { Position } from '../../domain/ids.ts';
import { positionNumber } from '../../domain/position.ts';
import type { StoreUnavailable } from '../../event-store/event-store.ts';
import type { PartedLog } from '../../event-store/parted-log.ts';
import type { BankChange } from '../bank-change.ts';
import { chunksOf, MARKS_OF_A_CHUNK, type AuditChunk } from '../audit-chunk.ts';
import { CellSums, type DaySum } from '../cell-sums.ts';
import { OrderLoad, type LoadedOrders } from '../loaded-orders.ts';
import { orderClaims } from '../match-terms.ts';
import { orderRow } from '../order-row.ts';
import type { ProjectedOrder } from '../projected-order.ts';
import type { QuarantineChange } from '../quarantine-change.ts';
import type { MatchChange } from '../match-change.ts';
import { markStretch, projectPart, type Stretch } from '../rebuild-task.ts';
import { orderRef } from './match-evidence.ts';
import { termOf } from './term.ts';
import { TermSegment, type TermRun } from './term-segment.ts';

/** What some parts of the log come to; what their orders add to reports and terms is gathered already. */
export type LoadedPart = {
  readonly events: number;
  readonly orders: LoadedOrders;
  readonly quarantine: readonly QuarantineChange[];
  readonly match: readonly MatchChange[];
  readonly bank: readonly BankChange[];
  readonly unreadable: number;
  readonly gathered: Gathered;
};

export type LoadedStretch = Stretch & {
  readonly chunks: readonly AuditChunk[];
  readonly terms: TermRun;
};

/** What was gathered over several parts, and goes into the generation in large pieces. */
export type Gathered = {
  readonly sums: readonly DaySum[];
  readonly terms: TermRun;
  readonly ids: TermRun;
  readonly match: TermRun;
};

/** The tasks of a build, and how many of them can be under way. */
export type RebuildTasks = {
  /** How many tasks there are that project parts of the log. */
  readonly parts: number;
  readonly width: number;
  /** Projects the parts of one task. */
  readonly part: (task: number) => Promise<E.Either<StoreUnavailable, LoadedPart>>;
  readonly stretch: (after: Position | null) => Promise<E.Either<StoreUnavailable, LoadedStretch>>;
  /** What is still gathered when no task is under way any more. */
  readonly rest: () => Promise<E.Either<StoreUnavailable, readonly Gathered[]>>;
};

/** Parts of the log that are projected in one task: what a task costs beside is little then. */
const PARTS_OF_A_TASK = 8;

/** How many tasks it takes to project so many parts of the log. */
export const partTasks = (parts: number): number => Math.ceil(parts / PARTS_OF_A_TASK);

/** Orders of a task get numbers of a range of their own, so that tasks can go on side by side. */
const NUMBERS_OF_A_TASK = 1_048_576;

/** Gathered entries and sums at the most: some tens of MB, however long the log is. */
const MOST_TERMS = 524_288;
const MOST_SUMS = 50_000;

/** Events of a stretch, about: their terms make one segment. */
const EVENTS_OF_A_STRETCH = 262_144;

const NO_TERMS: TermRun = { size: 0, fences: new Uint8Array(), blocks: [] };
const NOTHING: Gathered = { sums: [], terms: NO_TERMS, ids: NO_TERMS, match: NO_TERMS };

/** Runs the tasks of a build where it is called: in a thread of its own, or for a small log in the builder's. */
export class LocalTasks {
  readonly #store: Pick<PartedLog, 'readPart' | 'readHeaders'>;
  readonly #upTo: Position;
  readonly #calendar: Calendar;
  readonly #sums = new CellSums();
  readonly #terms = new TermSegment('order');
  readonly #ids = new TermSegment('id');
  readonly #match = new TermSegment('match');

  constructor(store: Pick<PartedLog, 'readPart' | 'readHeaders'>, upTo: Position, calendar: Calendar) {
    this.#store = store;
    this.#upTo = upTo;
    this.#calendar = calendar;
  }

  async part(task: number): Promise<E.Either<StoreUnavailable, LoadedPart>> {
    const orders = new OrderLoad(task * NUMBERS_OF_A_TASK + 1);
    const quarantine: QuarantineChange[] = [];
    const match: MatchChange[] = [];
    const bank: BankChange[] = [];
    let [events, unreadable] = [0, 0];
    for (let part = task * PARTS_OF_A_TASK; part < (task + 1) * PARTS_OF_A_TASK; part += 1) {
      const projected = await projectPart(this.#store, part, this.#upTo, (order) => this.#addOrder(order, orders));
      if (E.isLeft(projected)) return projected;
      events += projected.right.events;
      unreadable += projected.right.unreadable;
      quarantine.push(...projected.right.quarantine);
      match.push(...projected.right.match);
      bank.push(...projected.right.bank);
    }
    const isMuch = this.#terms.size >= MOST_TERMS || this.#sums.size >= MOST_SUMS;
    const gathered = isMuch ? this.rest() : NOTHING;
    return E.right({ events, orders: orders.loaded(), quarantine, match, bank, unreadable, gathered });
  }

  #addOrder(order: ProjectedOrder, orders: OrderLoad): void {
    const its = matchOrderOf(order.state, this.#calendar);
    const row = orderRow(order, this.#calendar, its);
    this.#sums.add(row.facetKey, row.cells);
    const no = orders.add(row, orderAlone(its), orderClaims(its));
    for (const term of row.terms) this.#terms.add(term, row.termRank, no);
    this.#ids.add(termOf(row.orderId), no, no);
    for (const term of row.matchTerms) this.#match.add(term, orderRef(no), orderRef(no));
  }

  async stretch(after: Position | null): Promise<E.Either<StoreUnavailable, LoadedStretch>> {
    const terms = new TermSegment('audit');
    const chunks: AuditChunk[] = [];
    let filling: AuditMark[] = [];
    const onMarks = (marks: readonly AuditMark[]): void => {
      for (const mark of marks) {
        const number = positionNumber(mark.position);
        for (const term of mark.terms) terms.add(termOf(term), number, number);
        if (filling.push(mark) < MARKS_OF_A_CHUNK) continue;
        chunks.push(...chunksOf(filling, null));
        filling = [];
      }
    };
    const stretch = await markStretch(this.#store, after, this.#upTo, EVENTS_OF_A_STRETCH, onMarks);
    if (E.isLeft(stretch)) return stretch;
    chunks.push(...chunksOf(filling, null));
    return E.right({ ...stretch.right, chunks, terms: terms.take() });
  }

  rest(): Gathered {
    return { sums: this.#sums.takeDays(), terms: this.#terms.take(), ids: this.#ids.take(), match: this.#match.take() };
  }
}

/** Tasks in the builder's own thread. */
export const localTasks = (local: LocalTasks, parts: number): RebuildTasks => ({
  parts: partTasks(parts),
  width: 1,
  part: (task) => local.part(task),
  stretch: (after) => local.stretch(after),
  rest: () => Promise.resolve(E.right([local.rest()])),
});
