import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { OrderState } from '../../projections/order-state/index.ts';
import { measuresGroup, type ReportCell } from '../../projections/report/index.ts';
import { businessCalendar, type Calendar } from '../domain/business-day.ts';
import { exactOf, negated } from '../domain/exact.ts';
import { compareInstants } from '../domain/instant.ts';
import type { StoreUnavailable } from '../event-store/event-store.ts';
import { isListed } from './order-match.ts';
import { OrderSums, type OrderTotal } from './order-sums.ts';
import type { ProjectedOrder } from './projected-order.ts';
import type {
  AsOf,
  CellsAnswer,
  ChangedOrder,
  ChangesQuestion,
  OrderPlace,
  OrdersPage,
  OrdersQuestion,
  ReadModelsUnavailable,
  ReportAnswer,
  ReportQuestion,
} from './read-models.ts';
import { contributionsOf, REPORTS } from './reports.ts';
import type { Snapshot } from './snapshot.ts';
import { compareTexts } from './text-order.ts';
import type { PastState, PastStates } from './touched-orders.ts';

type Failable<A> = Promise<E.Either<ReadModelsUnavailable, A>>;

/** Orders of now that are read at a time, to be looked through for those that were not touched since. */
const ROWS_AT_ONCE = 200;

/** Negative where `a` stands before `b` in lists: the later creation, then the greater order id. */
const inListOrder = (a: OrderPlace, b: OrderPlace): number =>
  a.createdAt === b.createdAt ? compareTexts(b.orderId, a.orderId) : compareInstants(b.createdAt, a.createdAt);

const unavailable = ({ detail }: StoreUnavailable): ReadModelsUnavailable => ({
  _tag: 'ReadModelsUnavailable',
  detail: `the event store can't be read: ${detail}`,
});

/** What an order adds to the cells of a report, as far as it is asked for; `sign` −1 takes it out. */
const cellsOf = (
  { state }: ProjectedOrder,
  { flow, basis, from, to }: ReportQuestion,
  calendar: Calendar,
  sign: 1 | -1,
): readonly ReportCell[] =>
  state.flow !== flow
    ? []
    : contributionsOf(state, calendar)
        .filter(
          (cell) => cell.basis === basis && (from === null || cell.day >= from) && (to === null || cell.day <= to),
        )
        .map(({ day, facet, measures }) => ({
          period: day,
          facet,
          measures: sign === 1 ? measures : measuresGroup.inverse(measures),
        }));

/** Answers as of moments, over one state of the read models and the log that they are made of. */
class PastAnswers {
  readonly #snapshot: Snapshot;
  readonly #past: PastStates;
  readonly #calendar: Calendar;

  constructor(snapshot: Snapshot, past: PastStates) {
    this.#snapshot = snapshot;
    this.#past = past;
    this.#calendar = businessCalendar(snapshot.timeZone);
  }

  async cells(question: ReportQuestion, { checkpoint }: AsOf): Failable<CellsAnswer> {
    const state = await this.#stateAt({ checkpoint });
    if (E.isLeft(state)) return state;
    const { base, orders } = state.right;
    const now = base === 'now' ? await this.#snapshot.cells(question)() : null;
    if (now !== null && E.isLeft(now)) return now;
    const cells: ReportCell[] = [...(now?.right.cells ?? [])];
    for (const [orderId, { before }] of orders) {
      const current = base === 'now' ? this.#snapshot.order(orderId) : null;
      if (current !== null) cells.push(...cellsOf(current, question, this.#calendar, -1));
      if (before !== null) cells.push(...cellsOf(before, question, this.#calendar, 1));
    }
    return E.right({ cells, timeZone: this.#snapshot.timeZone, asOf: checkpoint });
  }

  async report(question: ReportQuestion, asOf: AsOf): Failable<ReportAnswer> {
    return E.map(({ cells, ...at }: CellsAnswer) => ({
      ...REPORTS[question.flow].report(question.groupBy, cells),
      ...at,
    }))(await this.cells(question, asOf));
  }

  async orders(question: OrdersQuestion, asOf: AsOf): Failable<OrdersPage<OrderState>> {
    const state = await this.#stateAt(asOf);
    if (E.isLeft(state)) return state;
    const { limit, counted, after } = question;
    const touched = this.#listedThen(question, state.right);
    const behind = after === null ? touched : touched.filter((order) => inListOrder(after, order) < 0);
    const untouched = await this.#untouched(question, state.right);
    if (E.isLeft(untouched)) return untouched;
    const found = [...behind, ...untouched.right].toSorted(inListOrder);
    const total = counted ? await this.#total(question, state.right, touched) : E.right(null);
    return E.map((sum: OrderTotal | null) => ({
      data: found.slice(0, limit),
      more: found.length > limit,
      total: sum,
    }))(total);
  }

  /** Orders that events of a stretch of the log have changed, as far as they belong to a stretch of time, then or now. */
  async changes({ asOf, from, until }: ChangesQuestion): Failable<readonly ChangedOrder[]> {
    const now = this.#snapshot.progress().checkpoint?.position ?? null;
    const state = await this.#past.since(asOf.checkpoint?.position ?? null, now);
    if (E.isLeft(state)) return E.left(unavailable(state.left));
    const isIn = (order: OrderState | null): boolean =>
      order !== null &&
      [order.createdAt, order.settledAt].some(
        (moment) => moment !== null && compareInstants(moment, from) >= 0 && compareInstants(moment, until) < 0,
      );
    const changed: ChangedOrder[] = [];
    for (const [orderId, { before: order, eventIds }] of state.right.orders) {
      const [before, current] = [order?.state ?? null, this.#snapshot.order(orderId)?.state ?? null];
      if (isIn(before) || isIn(current)) changed.push({ orderId, before, now: current, eventIds });
    }
    return E.right(changed);
  }

  async #stateAt({ checkpoint }: AsOf): Failable<PastState> {
    const now = this.#snapshot.progress().checkpoint?.position ?? null;
    return E.mapLeft(unavailable)(await this.#past.at(checkpoint?.position ?? null, now));
  }

  /** Those of the orders that were touched since which were in the list, in its order. */
  #listedThen({ filter, now }: OrdersQuestion, { orders }: PastState): readonly OrderState[] {
    return [...orders.values()]
      .flatMap(({ before }) => (before !== null && isListed(before, filter, now, this.#calendar) ? [before.state] : []))
      .toSorted(inListOrder);
  }

  /** What the page has at the most of orders that were not touched since, and one more. */
  async #untouched(question: OrdersQuestion, { base, orders }: PastState): Failable<readonly OrderState[]> {
    const found: OrderState[] = [];
    if (base === 'nothing') return E.right(found);
    let after = question.after;
    for (;;) {
      const limit = Math.max(question.limit + 1, ROWS_AT_ONCE);
      const page = await this.#snapshot.orders({ ...question, after, limit, counted: false })();
      if (E.isLeft(page)) return page;
      found.push(...page.right.data.filter(({ orderId }) => !orders.has(orderId)));
      const last = page.right.data.at(-1);
      if (!page.right.more || last === undefined || found.length > question.limit) return E.right(found);
      after = last;
    }
  }

  async #total(
    question: OrdersQuestion,
    { base, orders }: PastState,
    listed: readonly OrderState[],
  ): Failable<OrderTotal | null> {
    const sums = new OrderSums();
    for (const { fiat } of listed) sums.add(fiat.currency, 1, exactOf(fiat.amount));
    if (base === 'nothing') return E.right(sums.total(false));
    const now = await this.#snapshot.orders({ ...question, after: null, limit: 1, counted: true })();
    if (E.isLeft(now)) return now;
    const { total } = now.right;
    if (total === null) return E.right(null);
    for (const orderId of orders.keys()) {
      const order = this.#snapshot.order(orderId);
      if (order === null || !isListed(order, question.filter, question.now, this.#calendar)) continue;
      const { currency, amount } = order.state.fiat;
      sums.add(currency, -1, negated(exactOf(amount)));
    }
    for (const { currency, orders: count, fiat } of total.byCurrency) sums.add(currency, count, exactOf(fiat));
    return E.right(sums.total(total.atLeast));
  }
}

/** A question that is answered by what is known now, or where it says so by what was known then. */
const eitherOf =
  <Q extends { readonly asOf?: AsOf }, A>(
    now: (question: Q) => TE.TaskEither<ReadModelsUnavailable, A>,
    then: (question: Q, asOf: AsOf) => Failable<A>,
  ) =>
  (question: Q): TE.TaskEither<ReadModelsUnavailable, A> => {
    const { asOf } = question;
    return asOf === undefined ? now(question) : () => then(question, asOf);
  };

/**
 * Read models that answer as of moments too. They must be of one state, since an answer is made of what is known now and
 * of what was known then.
 */
export const withPast = (snapshot: Snapshot, past: PastStates): Snapshot => {
  const answers = new PastAnswers(snapshot, past);
  return {
    ...snapshot,
    orders: eitherOf(snapshot.orders, (question, asOf) => answers.orders(question, asOf)),
    report: eitherOf(snapshot.report, (question, asOf) => answers.report(question, asOf)),
    cells: eitherOf(snapshot.cells, (question, asOf) => answers.cells(question, asOf)),
    changes: (question) => () => answers.changes(question),
  };
};
