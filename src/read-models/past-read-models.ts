import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { OrderState } from '../../projections/order-state/index.ts';
import type { Cell, ReportCell } from '../../projections/report/index.ts';
import { inTime } from '../concurrency/in-time.ts';
import { wait } from '../concurrency/wait.ts';
import { businessCalendar, type Calendar } from '../domain/business-day.ts';
import { exactOf, negated } from '../domain/exact.ts';
import { compareInstants } from '../domain/instant.ts';
import type { Position } from '../domain/ids.ts';
import { comparePositions } from '../domain/position.ts';
import type { StoreUnavailable } from '../event-store/event-store.ts';
import { nearestKnown } from './known-moment.ts';
import { isListed } from './order-match.ts';
import { OrderSums, type OrderTotal } from './order-sums.ts';
import { PageBytes } from './page-bytes.ts';
import type {
  AsOf,
  CellsAnswer,
  ChangedOrder,
  ChangesQuestion,
  OrderPlace,
  OrdersPage,
  Page,
  OrdersQuestion,
  MomentTooFar,
  ReadModelsUnavailable,
  ReportAnswer,
  ReportQuestion,
} from './read-models.ts';
import { REPORTS } from './reports.ts';
import type { Snapshot } from './snapshot.ts';
import { stateText } from './stored-state.ts';
import { compareTexts } from './text-order.ts';
import type { PastState, PastStates } from './touched-orders.ts';

type Failable<A, Trouble = ReadModelsUnavailable> = Promise<E.Either<Trouble, A>>;
/** What is made of the orders that were touched since. */
type OfOrders<A> = Failable<A, ReadModelsUnavailable | MomentTooFar>;

/** Orders that are looked up behind each other, after which others have their turn. */
const ORDERS_AT_A_STRETCH = 256;

/** Negative where `a` stands before `b` in lists: the later creation, then the greater order id. */
const inListOrder = (a: OrderPlace, b: OrderPlace): number =>
  a.createdAt === b.createdAt ? compareTexts(b.orderId, a.orderId) : compareInstants(b.createdAt, a.createdAt);

const unavailable = (trouble: StoreUnavailable | ReadModelsUnavailable): ReadModelsUnavailable =>
  trouble._tag === 'ReadModelsUnavailable'
    ? trouble
    : { _tag: 'ReadModelsUnavailable', detail: `the event store can't be read: ${trouble.detail}` };

const tooFarOrUnavailable = (
  trouble: StoreUnavailable | ReadModelsUnavailable | MomentTooFar,
): ReadModelsUnavailable | MomentTooFar => (trouble._tag === 'MomentTooFar' ? trouble : unavailable(trouble));

const FAR: E.Either<ReadModelsUnavailable, never> = E.left({
  _tag: 'ReadModelsUnavailable',
  detail: 'what was known then is still being found',
  isFar: true,
});

/** The first of some orders, as many as a page has. */
const withinPage = (orders: readonly OrderState[], limit: number): Page<OrderState> => {
  const bytes = new PageBytes();
  const data: OrderState[] = [];
  for (const order of orders.slice(0, limit)) {
    if (!bytes.takes(stateText(order).length)) break;
    data.push(order);
  }
  return { data, more: data.length < orders.length };
};

/** Those of some cells that a report asks for. */
const cellsOf = (cells: readonly Cell[], { flow, basis, from, to }: ReportQuestion): readonly ReportCell[] =>
  cells
    .filter(
      (cell) =>
        cell.facet.flow === flow &&
        cell.basis === basis &&
        (from === null || cell.day >= from) &&
        (to === null || cell.day <= to),
    )
    .map(({ day, facet, measures }) => ({ period: day, facet, measures }));

/** Answers as of moments, over one state of the read models and the log that they are made of. */
class PastAnswers {
  readonly #snapshot: Snapshot;
  readonly #past: PastStates;
  readonly #calendar: Calendar;
  readonly #withinMs: number | null;

  constructor(snapshot: Snapshot, past: PastStates, withinMs: number | null) {
    this.#snapshot = snapshot;
    this.#past = past;
    this.#calendar = businessCalendar(snapshot.timeZone);
    this.#withinMs = withinMs;
  }

  /** What is found in the log, where it is found in time; else it goes on being looked for, once that has begun, for whoever asks again. */
  async #found<Trouble, A>(
    find: (gone?: AbortSignal) => Promise<E.Either<Trouble, A>>,
  ): Failable<A, Trouble | ReadModelsUnavailable> {
    const answer = this.#withinMs === null ? await find() : await inTime(this.#withinMs, find, null);
    return answer ?? FAR;
  }

  async cells(question: ReportQuestion, { checkpoint }: AsOf): Failable<CellsAnswer> {
    const { timeZone } = this.#snapshot;
    const at = checkpoint?.position ?? null;
    const known = await nearestKnown(this.#snapshot, at);
    if (E.isLeft(known)) return known;
    const found = await this.#found((gone) => this.#past.sums.of(timeZone).at(at, known.right.at, gone));
    const then = E.mapLeft(unavailable)(found);
    if (E.isLeft(then)) return then;
    const { upTo, cells } = then.right;
    const beside = upTo === null ? E.right([]) : await known.right.cells(question);
    return E.map((its: readonly ReportCell[]) => ({
      cells: [...its, ...cellsOf(cells, question)],
      timeZone,
      asOf: checkpoint,
    }))(beside);
  }

  async report(question: ReportQuestion, asOf: AsOf): Failable<ReportAnswer> {
    return E.map(({ cells, ...at }: CellsAnswer) => ({
      ...REPORTS[question.flow].report(question.groupBy, cells),
      ...at,
    }))(await this.cells(question, asOf));
  }

  async orders(question: OrdersQuestion, asOf: AsOf): OfOrders<OrdersPage<OrderState>> {
    const state = await this.#stateAt(asOf);
    if (E.isLeft(state)) return state;
    const { limit, counted, after } = question;
    const touched = this.#listedThen(question, state.right);
    const behind = after === null ? touched : touched.filter((order) => inListOrder(after, order) < 0);
    const untouched = await this.#untouched(question, state.right);
    if (E.isLeft(untouched)) return untouched;
    const { data, more } = untouched.right;
    const last = data.at(-1);
    // Behind the last one that was read there may be others before those that were touched.
    const known = more && last !== undefined ? behind.filter((order) => inListOrder(order, last) < 0) : behind;
    const page = withinPage([...known, ...data].toSorted(inListOrder), limit);
    const total = counted ? await this.#total(question, state.right, touched) : E.right(null);
    return E.map((sum: OrderTotal | null) => ({
      data: page.data,
      more: page.more || more,
      total: sum,
    }))(total);
  }

  /** Orders that events of a stretch of the log have changed, as far as they belong to a stretch of time, before or behind it. */
  async changes({ asOf, upTo, from, until }: ChangesQuestion): OfOrders<readonly ChangedOrder[]> {
    const now = this.#snapshot.progress().checkpoint?.position ?? null;
    const state = await this.#since(asOf, now);
    if (E.isLeft(state)) return state;
    const later = await this.#since(upTo, now);
    if (E.isLeft(later)) return later;
    const isIn = (order: OrderState | null): boolean =>
      order !== null &&
      [order.createdAt, order.settledAt].some(
        (moment) => moment !== null && compareInstants(moment, from) >= 0 && compareInstants(moment, until) < 0,
      );
    const changed: ChangedOrder[] = [];
    const last = upTo.checkpoint?.position ?? null;
    for (const [orderId, { before: order, events }] of state.right.orders) {
      // Questions of several states are answered at once, so what was found behind either moment may end anywhere.
      const eventIds = events.flatMap(({ id, position }) => (comparePositions(position, last) <= 0 ? [id] : []));
      if (eventIds.length === 0) continue;
      const behind = later.right.orders.get(orderId);
      const is = behind === undefined ? this.#snapshot.order(orderId) : behind.before;
      const [before, current] = [order?.state ?? null, is?.state ?? null];
      if (isIn(before) || isIn(current)) changed.push({ orderId, before, now: current, eventIds });
    }
    return E.right(changed);
  }

  async #stateAt({ checkpoint }: AsOf): OfOrders<PastState> {
    const now = this.#snapshot.progress().checkpoint?.position ?? null;
    const found = await this.#found((gone) => this.#past.at(checkpoint?.position ?? null, now, gone));
    return E.mapLeft(tooFarOrUnavailable)(found);
  }

  async #since({ checkpoint }: AsOf, now: Position | null): OfOrders<PastState> {
    const found = await this.#found((gone) => this.#past.since(checkpoint?.position ?? null, now, gone));
    return E.mapLeft(tooFarOrUnavailable)(found);
  }

  /** Those of the orders that were touched since which were in the list, in its order. */
  #listedThen({ filter, now }: OrdersQuestion, { orders }: PastState): readonly OrderState[] {
    return [...orders.values()]
      .flatMap(({ before }) => (before !== null && isListed(before, filter, now, this.#calendar) ? [before.state] : []))
      .toSorted(inListOrder);
  }

  /** What the page has at the most of orders that were not touched since, and one more. */
  async #untouched(question: OrdersQuestion, { base, orders }: PastState): Failable<Page<OrderState>> {
    if (base === 'nothing') return E.right({ data: [], more: false });
    const most = { ...question, limit: question.limit + 1 };
    return this.#snapshot.ordersWithout(most, (orderId) => orders.has(orderId))();
  }

  async #total(
    { withoutSums, ...question }: OrdersQuestion,
    { base, orders }: PastState,
    listed: readonly OrderState[],
  ): OfOrders<OrderTotal | null> {
    const sums = new OrderSums();
    for (const { fiat } of listed) sums.add(fiat.currency, 1, exactOf(fiat.amount));
    if (base === 'nothing') return E.right(sums.total(false, withoutSums));
    const now = await this.#snapshot.orders({ ...question, after: null, limit: 1, counted: true })();
    if (E.isLeft(now)) return now;
    const { total } = now.right;
    if (total === null) return E.right(null);
    let looked = 0;
    for (const orderId of orders.keys()) {
      looked += 1;
      if (looked % ORDERS_AT_A_STRETCH === 0) await wait(0);
      const order = this.#snapshot.order(orderId);
      if (order === null || !isListed(order, question.filter, question.now, this.#calendar)) continue;
      const { currency, amount } = order.state.fiat;
      sums.add(currency, -1, negated(exactOf(amount)));
    }
    for (const { currency, orders: count, fiat } of total.byCurrency) sums.add(currency, count, exactOf(fiat));
    return E.right(sums.total(total.atLeast, withoutSums));
  }
}

/** A question that is answered by what is known now, or where it says so by what was known then. */
const eitherOf =
  <Q extends { readonly asOf?: AsOf }, A, Trouble>(
    now: (question: Q) => TE.TaskEither<Trouble, A>,
    then: (question: Q, asOf: AsOf) => Failable<A, Trouble>,
  ) =>
  (question: Q): TE.TaskEither<Trouble, A> => {
    const { asOf } = question;
    return asOf === undefined ? now(question) : () => then(question, asOf);
  };

/**
 * Read models that answer as of moments too. They must be of one state, since an answer is made of what is known now and
 * of what was known then.
 *
 * @param withinMs how long is waited for what is looked up in the log; null: as long as it takes
 */
export const withPast = (snapshot: Snapshot, past: PastStates, withinMs: number | null = null): Snapshot => {
  const answers = new PastAnswers(snapshot, past, withinMs);
  return {
    ...snapshot,
    orders: eitherOf(snapshot.orders, (question, asOf) => answers.orders(question, asOf)),
    report: eitherOf(snapshot.report, (question, asOf) => answers.report(question, asOf)),
    cells: eitherOf(snapshot.cells, (question, asOf) => answers.cells(question, asOf)),
    changes: (question) => () => answers.changes(question),
  };
};
