import * as E from 'fp-ts/lib/Either.js';
import { foldOrder, orderAt, type OrderState } from '../../projections/order-state/index.ts';
import type { Report, ReportCell } from '../../projections/report/index.ts';
import { monthOfDay, type Month } from '../../src/domain/month.ts';
import type { Calendar } from '../../src/domain/business-day.ts';
import { parseAnyMetadata } from '../../src/domain/any-metadata.ts';
import { normalised } from '../../src/domain/decimal.ts';
import { parseMetadata } from '../../src/domain/event-metadata.ts';
import { exactOf, plainText, plus } from '../../src/domain/exact.ts';
import { orderStream, type OrderId, type Position } from '../../src/domain/ids.ts';
import { compareInstants, type Instant } from '../../src/domain/instant.ts';
import { readLedgerEvent, type LedgerEvent } from '../../src/domain/ledger-event.ts';
import { readOwnEvent } from '../../src/domain/own-event/own-event.ts';
import { keyOf } from '../../src/domain/order-key.ts';
import { comparePositions } from '../../src/domain/position.ts';
import { parseQuarantineData, parseReleaseData } from '../../src/domain/quarantine-data.ts';
import { readContent } from '../../src/domain/read-content.ts';
import { signedBytes, type RecordedEvent } from '../../src/domain/recorded-event.ts';
import { quarantineState } from '../../src/queries/quarantine/quarantine-resource.ts';
import type { OrderTotal } from '../../src/read-models/order-sums.ts';
import type { OrderFilter } from '../../src/read-models/order-filter.ts';
import { projectOrder, type ProjectedOrder } from '../../src/read-models/projected-order.ts';
import type {
  AsOf,
  AuditQuestion,
  ChangedOrder,
  ChangesQuestion,
  OrderPlace,
  OrdersPage,
  OrdersQuestion,
  Page,
  Quarantined,
  QuarantineQuestion,
  ReportQuestion,
  Tallies,
} from '../../src/read-models/read-models.ts';
import { REPORTS } from '../../src/read-models/reports.ts';
import { anomalyFits, datesFit, isFound, type NaiveOrder } from './naive-order-filter.ts';

const pageOf = <A>(all: readonly A[], limit: number): Page<A> => ({
  data: all.slice(0, limit),
  more: all.length > limit,
});

/** Negative where `a` is listed before `b`: the later creation, then the order id whose UTF-8 bytes are greater. */
const inListOrder = (a: OrderPlace, b: OrderPlace): number =>
  a.createdAt === b.createdAt
    ? Buffer.compare(Buffer.from(b.orderId), Buffer.from(a.orderId))
    : compareInstants(b.createdAt, a.createdAt);

const totalOf = (states: readonly OrderState[]): OrderTotal => ({
  orders: states.length,
  atLeast: false,
  byCurrency: [...new Set(states.map(({ fiat }) => fiat.currency))]
    .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map((currency) => {
      const amounts = states.flatMap(({ fiat }) => (fiat.currency === currency ? [exactOf(fiat.amount)] : []));
      return { currency, orders: amounts.length, fiat: plainText(amounts.reduce(plus)) };
    }),
});

/** The answers of read models to a log, made from all of it, for each question anew (docs/spec/http.md). */
export class NaiveAnswers {
  readonly events: readonly RecordedEvent[];
  readonly #orders: readonly NaiveOrder[];
  readonly #calendar: Calendar;

  constructor(events: readonly RecordedEvent[], calendar: Calendar) {
    this.events = events;
    this.#calendar = calendar;
    const byStream = new Map<string, LedgerEvent[]>();
    for (const event of events.filter(({ stream }) => stream.startsWith('order-'))) {
      const read = readLedgerEvent(event);
      if (E.isRight(read)) byStream.set(event.stream, [...(byStream.get(event.stream) ?? []), read.right]);
    }
    this.#orders = [...byStream.values()]
      .flatMap((its) => {
        const state = foldOrder(its);
        return state === null ? [] : [{ state, events: its }];
      })
      .toSorted((a, b) => inListOrder(a.state, b.state));
  }

  get states(): readonly OrderState[] {
    return this.#orders.map(({ state }) => state);
  }

  get utrs(): readonly string[] {
    return this.#orders.flatMap((order) => order.events.flatMap(({ facts }) => facts.utr ?? []));
  }

  /** Every order of a list, in its order. */
  listed(filter: OrderFilter, now: OrdersQuestion['now']): readonly OrderState[] {
    const { flow, status, currency, token, chainId, phase } = filter;
    return this.#orders
      .filter((order) => isFound(order, filter.q))
      .map(({ state }) => state)
      .filter((state) => flow === null || state.flow === flow)
      .filter((state) => status === null || state.status.toLowerCase() === status)
      .filter((state) => currency === null || state.fiat.currency === currency)
      .filter((state) => chainId === null || Number(state.token.chainId) === Number(chainId))
      .filter((state) => phase === null || state.phase === phase)
      .filter(
        (state) =>
          token === null || state.token.symbol.toLowerCase() === token || state.token.address.toLowerCase() === token,
      )
      .filter((state) => anomalyFits(state, filter, now) && datesFit(state, filter, this.#calendar));
  }

  /** The months in which orders were created or settled. */
  figureMonths(): readonly Month[] {
    const days = this.states.flatMap(({ createdAt, settledAt }) => [createdAt, settledAt ?? createdAt]);
    return [...new Set(days.map((moment) => monthOfDay(this.#calendar.dayOf(moment))))];
  }

  orders({ filter, after, limit, now, counted, withoutSums }: OrdersQuestion): OrdersPage<OrderState> {
    const all = this.listed(filter, now);
    const page = pageOf(after === null ? all : all.filter((state) => inListOrder(after, state) < 0), limit);
    if (!counted) return { ...page, total: null };
    const total = totalOf(all);
    return { ...page, total: withoutSums === true ? { ...total, byCurrency: [] } : total };
  }

  ordersWithUtr(utr: string): readonly OrderId[] {
    return this.#orders
      .filter(({ events }) => events.some(({ facts }) => facts.utr === utr))
      .map(({ state }) => state.orderId);
  }

  report({ flow, basis, from, to, groupBy }: ReportQuestion): Report {
    return REPORTS[flow].report(groupBy, this.cells({ flow, basis, from, to, groupBy }));
  }

  cells({ flow, basis, from, to }: ReportQuestion): readonly ReportCell[] {
    return this.states
      .flatMap((state) => REPORTS[flow].contributions(state, this.#calendar))
      .filter((cell) => cell.basis === basis && (from === null || cell.day >= from) && (to === null || cell.day <= to))
      .map(({ day, facet, measures }) => ({ period: day, facet, measures }));
  }

  /** The answers when the log was no longer than this. */
  at(asOf: AsOf | undefined): NaiveAnswers {
    if (asOf === undefined) return this;
    const last = asOf.checkpoint?.position ?? null;
    return new NaiveAnswers(
      this.events.filter(({ position }) => comparePositions(position, last) <= 0),
      this.#calendar,
    );
  }

  changes({ asOf, upTo, from, until }: ChangesQuestion): readonly ChangedOrder[] {
    const up = this.at(upTo);
    const [then, last] = [this.at(asOf), asOf.checkpoint?.position ?? null];
    const isIn = (state: OrderState | null): boolean =>
      [state?.createdAt ?? null, state?.settledAt ?? null].some(
        (moment) => moment !== null && compareInstants(moment, from) >= 0 && compareInstants(moment, until) < 0,
      );
    const stateIn = (answers: NaiveAnswers, orderId: OrderId): OrderState | null =>
      answers.states.find((state) => state.orderId === orderId) ?? null;
    return up.states
      .map(({ orderId }) => ({
        orderId,
        before: stateIn(then, orderId),
        now: stateIn(up, orderId),
        eventIds: up.events
          .filter(({ stream, position }) => stream === orderStream(orderId) && comparePositions(position, last) > 0)
          .map(({ id }) => id),
      }))
      .filter((order) => order.eventIds.length > 0 && (isIn(order.before) || isIn(order.now)));
  }

  /** An order as read models keep it. */
  projected(orderId: OrderId): ProjectedOrder | null {
    return projectOrder(this.events.filter(({ stream }) => stream === orderStream(orderId))).order;
  }

  auditPositions({ type, from, to, term, after, limit }: AuditQuestion): Page<Position> {
    const found = this.events.filter((event) => {
      const metadata = parseAnyMetadata(event.metadata);
      const received = metadata?.receivedAt ?? null;
      return (
        (type === null || event.type === type) &&
        (from === null || (received !== null && compareInstants(received, from) >= 0)) &&
        (to === null || (received !== null && compareInstants(received, to) <= 0)) &&
        (term === null || [event.id, metadata?.bodySha256, metadata?.requestId].some((text) => text === term)) &&
        comparePositions(event.position, after) > 0
      );
    });
    return pageOf(
      found.map(({ position }) => position),
      limit,
    );
  }

  get #quarantined(): readonly Quarantined[] {
    const put = this.events.filter(({ type }) => type === 'DeliveryQuarantined');
    const released = this.events.filter(({ type }) => type === 'QuarantineReleased');
    const deeds = this.events.filter(({ type }) => type === 'QuarantineClosed' || type === 'QuarantineReopened');
    return put.flatMap(({ id: eventId, position, stream, metadata, data }) => {
      const [meta, said] = [parseMetadata(metadata), parseQuarantineData(data)];
      if (meta === null || said === null) return [];
      const { receivedAt, secretId, bodySha256 } = meta;
      const release = released.find((event) => event.stream === stream);
      const releasedAs = release === undefined ? null : (parseReleaseData(release.data)?.eventId ?? null);
      const last = deeds.findLast((event) => event.stream === `closure-${bodySha256}`);
      const read = last === undefined ? null : E.toUnion(readOwnEvent(last));
      const closed =
        read?._tag === 'QuarantineClosed'
          ? { eventId: read.recorded.id, at: read.metadata.receivedAt, by: read.metadata.by, note: read.data.note }
          : null;
      return [{ eventId, position, stream, receivedAt, secretId, bodySha256, ...said, releasedAs, closed }];
    });
  }

  quarantine({ state, after, limit }: QuarantineQuestion): Page<Quarantined> {
    const behind = this.#quarantined.filter(({ position }) => comparePositions(position, after) > 0);
    return pageOf(state === null ? behind : behind.filter((one) => quarantineState(one) === state), limit);
  }

  /** Everything counted, order by order. */
  tallies(now: Instant): Tallies {
    const codes = this.states.flatMap((state) => [...new Set(orderAt(state, now).anomalies.map(({ code }) => code))]);
    const withCode = (code: string): number => codes.filter((one) => one === code).length;
    const kinds = new Map(this.states.map(({ flow, status }) => [JSON.stringify([flow, status]), { flow, status }]));
    return {
      orders: [...kinds.values()].map(({ flow, status }) => ({
        flow,
        status,
        orders: this.states.filter((state) => state.flow === flow && state.status === status).length,
      })),
      currencies: [...new Set(this.states.map(({ fiat }) => fiat.currency))].toSorted(),
      tokens: [...new Set(this.states.map(({ token }) => token.symbol))].toSorted(),
      chainIds: [...new Set(this.states.map(({ token }) => normalised(token.chainId)))].toSorted(),
      anomalies: {
        'refunded-after-settlement': withCode('refunded-after-settlement'),
        'progress-after-expiry': withCode('progress-after-expiry'),
        'second-payout': withCode('second-payout'),
        'payout-paid-and-failed': withCode('payout-paid-and-failed'),
        'fact-changed': withCode('fact-changed'),
        'conflicting-delivery': withCode('conflicting-delivery'),
        'unlisted-status': withCode('unlisted-status'),
        'field-unreadable': withCode('field-unreadable'),
        'sample-completed': withCode('sample-completed'),
        overdue: withCode('overdue'),
        'deemed-too-long': withCode('deemed-too-long'),
      },
      quarantined: this.#quarantined.filter((one) => quarantineState(one) === 'open').length,
    };
  }

  /** Those whose body, or release, names an order of this id or this utr. */
  quarantinedOf(text: string): readonly Position[] {
    return this.events
      .filter((event) => {
        const said = event.type === 'DeliveryQuarantined' ? parseQuarantineData(event.data) : null;
        if (said === null || parseMetadata(event.metadata) === null) return false;
        const content = readContent(signedBytes(event));
        const key = content._tag === 'OrderEvent' ? keyOf(content.payload) : null;
        const release = this.events.find(
          ({ type, stream }) => type === 'QuarantineReleased' && stream === event.stream,
        );
        const released = release === undefined ? null : (parseReleaseData(release.data)?.orderId ?? null);
        return (said.orderId ?? key?.orderId ?? released) === text || key?.utr === text;
      })
      .map(({ position }) => position);
  }
}
