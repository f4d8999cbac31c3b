import * as fc from 'fast-check';
import { parseAnyMetadata } from '../../src/domain/any-metadata.ts';
import { businessCalendar, parseBusinessDay, type BusinessDay } from '../../src/domain/business-day.ts';
import { normalised, parseDecimal } from '../../src/domain/decimal.ts';
import { FLOWS } from '../../src/domain/flow.ts';
import { branded } from '../../src/domain/brand.ts';
import type { Position } from '../../src/domain/ids.ts';
import { epochMsOf, instantOf, parseInstant, type Instant } from '../../src/domain/instant.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { PHASES } from '../../src/domain/status.ts';
import { GROUP_KEYS } from '../../projections/report/index.ts';
import { ANOMALY_FILTERS, EVERY_ORDER, type OrderFilter } from '../../src/read-models/order-filter.ts';
import type { AuditQuestion, ReportQuestion } from '../../src/read-models/read-models.ts';
import type { NaiveAnswers } from './naive-answers.ts';

const DAY = 86_400_000;

const ofKind = <A>(values: Iterable<A>): readonly A[] => [...new Set(values)];

/** A day with the days beside it. */
const around = (day: BusinessDay): readonly BusinessDay[] =>
  [-DAY, 0, DAY].flatMap((away) => {
    const moment = parseInstant(instantOf(Date.parse(day) + away));
    return moment === null ? [] : (parseBusinessDay(moment.slice(0, 10)) ?? []);
  });

/** A moment with those a millisecond beside it. */
export const beside = (moment: Instant): readonly Instant[] =>
  [-1, 0, 1].flatMap((ms) => parseInstant(instantOf(epochMsOf(moment) + ms)) ?? []);

const LATE = instantOf(Date.UTC(9999, 11, 31));

const phonesOf = (phone: JsonObject | null): readonly string[] => {
  const [code = '', number = ''] = [phone?.['countrycode'], phone?.['number']].map((part) =>
    typeof part === 'string' ? part.replaceAll(/[^0-9]/g, '') : '',
  );
  return [number, code + number, `+${code} ${number}`];
};

/** Values that answers to a log depend on, one that is nowhere in it among each kind. */
export type Universe = ReturnType<typeof universeOf>;

/** The values to ask for, of what naive answers hold. */
export const universeOf = ({ states, utrs, events }: NaiveAnswers, timeZone: string) => {
  const calendar = businessCalendar(timeZone);
  const moments = states.flatMap(({ createdAt, settledAt }) =>
    settledAt === null ? [createdAt] : [createdAt, settledAt],
  );
  const two = parseDecimal('2');
  const metadata = events.flatMap((event) => parseAnyMetadata(event.metadata) ?? []);
  return {
    flow: FLOWS,
    status: ofKind([...states.map(({ status }) => status.toLowerCase()), '__proto__', 'nowhere']),
    currency: ofKind([...states.map(({ fiat }) => fiat.currency), 'XXX']),
    token: ofKind([
      ...states.flatMap(({ token: { symbol, address } }) => [symbol.toLowerCase(), address.toLowerCase()]),
      'nowhere',
    ]),
    chainId: ofKind([...states.map(({ token }) => normalised(token.chainId)), ...(two === null ? [] : [two])]),
    phase: PHASES,
    anomaly: ANOMALY_FILTERS,
    day: ofKind(moments.map(calendar.dayOf).flatMap(around)),
    q: ofKind([
      ...utrs,
      ...states.flatMap(({ orderId, txnHash, transactionId, walletAddress, customer, metaData }) => [
        orderId,
        txnHash ?? 'nowhere',
        txnHash?.toUpperCase() ?? 'nowhere',
        transactionId ?? 'nowhere',
        walletAddress,
        walletAddress.toLowerCase(),
        customer.id,
        customer.email ?? 'nowhere',
        customer.email?.toUpperCase() ?? 'nowhere',
        ...phonesOf(customer.phone),
        ...Object.values(metaData).filter((value) => typeof value === 'string'),
      ]),
    ]).filter((text) => text !== ''),
    now: ofKind<Instant>([
      LATE,
      ...states.flatMap(({ clockAnomaly }) => (clockAnomaly === null ? [] : beside(clockAnomaly.after))),
    ]),
    type: ofKind([...events.map(({ type }) => type), 'Nothing']),
    received: ofKind<Instant>([
      ...metadata.flatMap(({ receivedAt }) => beside(receivedAt)),
      ...metadata.map(({ receivedAt }) => branded<Instant>(receivedAt.replace('Z', '5Z'))),
    ]),
    term: ofKind([
      ...events.map(({ id }) => id),
      ...metadata.flatMap(({ bodySha256, requestId }) => [bodySha256, requestId]),
      'nowhere',
    ]),
    position: events.map(({ position }): Position => position),
  };
};

/** Says which of a kind of values is asked for, once these are known; null: none. */
type Pick = number | null;

const pick: fc.Arbitrary<Pick> = fc.option(fc.nat(10_000), { freq: 2 });

const picked = <A>(values: readonly A[], at: Pick): A | null =>
  at === null || values.length === 0 ? null : (values[at % values.length] ?? null);

/** A question for a list of orders, for values that are not known yet. */
export const orderPicks = fc.record({
  flow: pick,
  status: pick,
  currency: pick,
  token: pick,
  chainId: pick,
  phase: pick,
  settled: fc.boolean(),
  from: pick,
  to: pick,
  anomaly: pick,
  q: pick,
  personal: fc.boolean(),
  now: fc.nat(10_000),
  limit: fc.integer({ min: 1, max: 6 }),
  /** Filters that are left out in spite of a pick, so that lists are not always empty. */
  sparse: fc.array(fc.nat(10), { maxLength: 9 }),
});

type PicksOf<A> = A extends fc.Arbitrary<infer Picks> ? Picks : never;

/** The question that was meant. */
export const orderQuestion = (
  picks: PicksOf<typeof orderPicks>,
  universe: Universe,
): { readonly filter: OrderFilter; readonly now: Instant; readonly limit: number } => {
  const kept = (place: number, at: Pick): Pick => (picks.sparse.includes(place) ? null : at);
  const text = picked(universe.q, kept(0, picks.q));
  return {
    filter: {
      flow: picked(universe.flow, kept(1, picks.flow)),
      status: picked(universe.status, kept(2, picks.status)),
      currency: picked(universe.currency, kept(3, picks.currency)),
      token: picked(universe.token, kept(4, picks.token)),
      chainId: picked(universe.chainId, kept(5, picks.chainId)),
      phase: picked(universe.phase, kept(6, picks.phase)),
      basis: picks.settled ? 'settled' : 'created',
      from: picked(universe.day, kept(7, picks.from)),
      to: picked(universe.day, kept(8, picks.to)),
      anomaly: picked(universe.anomaly, kept(9, picks.anomaly)),
      q: text === null ? null : { text, personal: picks.personal, holdsMasked: text.includes('@') },
    },
    now: picked(universe.now, picks.now) ?? LATE,
    limit: picks.limit,
  };
};

/** Every filter that names one thing, on each basis for days. */
export const singleFilters = (universe: Universe): readonly OrderFilter[] => {
  const of = <K extends keyof OrderFilter>(key: K, values: readonly OrderFilter[K][]): readonly OrderFilter[] =>
    values.map((value) => ({ ...EVERY_ORDER, [key]: value }));
  return [
    EVERY_ORDER,
    { ...EVERY_ORDER, basis: 'settled' },
    ...of('flow', universe.flow),
    ...of('status', universe.status),
    ...of('currency', universe.currency),
    ...of('token', universe.token),
    ...of('chainId', universe.chainId),
    ...of('phase', universe.phase),
    ...of('anomaly', universe.anomaly),
    ...[...of('from', universe.day), ...of('to', universe.day)].flatMap((filter): readonly OrderFilter[] => [
      filter,
      { ...filter, basis: 'settled' },
    ]),
    ...of(
      'q',
      universe.q.flatMap((text) =>
        [true, false].map((personal) => ({ text, personal, holdsMasked: text.includes('@') })),
      ),
    ),
  ];
};

/** A question for a report, for days that are not known yet. */
export const reportPicks = fc.record({
  flow: fc.constantFrom(...FLOWS),
  basis: fc.constantFrom('created', 'settled'),
  from: pick,
  to: pick,
  groupBy: fc.subarray([...GROUP_KEYS]),
});

/** The report that was meant; `days`: what its dates are picked from. */
export const reportQuestion = (
  { from, to, ...rest }: PicksOf<typeof reportPicks>,
  days: readonly BusinessDay[],
): ReportQuestion => ({ ...rest, from: picked(days, from), to: picked(days, to) });

/** A question for the trail, for values that are not known yet. */
export const auditPicks = fc.record({
  type: pick,
  from: pick,
  to: pick,
  term: pick,
  after: pick,
  limit: fc.integer({ min: 1, max: 50 }),
  sparse: fc.array(fc.nat(3), { maxLength: 3 }),
});

/** The question for the trail that was meant. */
export const parseAuditList = (picks: PicksOf<typeof auditPicks>, universe: Universe): AuditQuestion => {
  const kept = (place: number, at: Pick): Pick => (picks.sparse.includes(place) ? null : at);
  return {
    type: picked(universe.type, kept(0, picks.type)),
    from: picked(universe.received, kept(1, picks.from)),
    to: picked(universe.received, kept(2, picks.to)),
    term: picked(universe.term, kept(3, picks.term)),
    after: picked(universe.position, picks.after),
    limit: picks.limit,
  };
};
