import { attemptsOf, isAnomalous, PRECEDENCE, type Attempt, type Event } from './anomaly-oracle.ts';
import { canonical, numberAt, numberTextAt, parseKeepingDigits, scaled, textAt } from './naive-json.ts';

/** A delivery that the ledger took, in the order of becoming durable: its body, when it was received, the event id that it was answered with. */
export type Delivered = { readonly body: string; readonly receivedAt: string; readonly eventId: string };

/** What the naive reading says of an order, as far as reports go. Amounts in units of 10^-80; times in milliseconds. */
export type NaiveOrder = {
  readonly flow: string;
  readonly status: string;
  readonly phase: string;
  readonly fiat: bigint;
  readonly currency: string;
  readonly symbol: string;
  readonly address: string;
  readonly chainId: bigint;
  readonly amount: bigint | null;
  readonly baseUnits: bigint | null;
  readonly commission: bigint | null;
  readonly rate: bigint | null;
  readonly tds: bigint | null;
  readonly createdAt: number;
  readonly settledAt: number | null;
  readonly anomalous: boolean;
};

/** docs/spec/domain.md, Phases: phase by shown status. */
const PHASES = {
  onramp: { completed: 'settled', expired: 'expired', refunding: 'refunding', refunded: 'refunded' },
  offramp: { PayoutSuccess: 'settled', fiatDeemed: 'deemed', fiatFailed: 'failed', refunded: 'refunded' },
};

const phaseOf = (flow: string, status: string): string => {
  const phase = textAt(PHASES, flow, status);
  return phase === '' ? 'open' : phase;
};

const shownOf = (flow: string, top: string, attempts: readonly Attempt[]): string => {
  if (flow === 'onramp' || !['fiatDeemed', 'fiatFailed', 'PayoutSuccess'].includes(top)) return top;
  const states = attempts.map(({ statuses }) =>
    statuses.has('PayoutSuccess') ? 'paid' : statuses.has('fiatFailed') ? 'failed' : 'deemed',
  );
  return states.includes('paid') ? 'PayoutSuccess' : states.includes('deemed') ? 'fiatDeemed' : 'fiatFailed';
};

const ZERO_TIMESTAMP = Date.parse('0001-01-01T00:00:00Z');

const happenedAt = ({ payload, receivedAt }: Event): number => {
  const updated = Date.parse(textAt(payload, 'updated_at'));
  return Number.isNaN(updated) || updated === ZERO_TIMESTAMP ? Date.parse(receivedAt) : updated;
};

/** What two deliveries of one key must have in common to be duplicates (docs/spec/domain.md, Decision). */
export const sameness = (payload: unknown): string => {
  if (typeof payload !== 'object' || payload === null) return '';
  const { updated_at: _updated, utr: _utr, ...facts } = Object.fromEntries(Object.entries(payload));
  return canonical({ ...facts, currency: textAt(payload, 'currency').toUpperCase() });
};

const naiveOrder = (flow: string, events: readonly Event[], conflicts: boolean): NaiveOrder => {
  const listed = PRECEDENCE[flow] ?? [];
  const ranked = events
    .toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1))
    .toSorted((a, b) => listed.indexOf(b.status) - listed.indexOf(a.status));
  const highest = <A>(read: (event: Event) => A | null): A | null => {
    for (const event of ranked) {
      const value = read(event);
      if (value !== null) return value;
    }
    return null;
  };
  const top = ranked[0]?.payload;
  const attempts = flow === 'offramp' ? attemptsOf(events) : [];
  const status = shownOf(flow, ranked[0]?.status ?? '', attempts);
  const token = flow === 'onramp' ? 'buyToken' : 'sellToken';
  const settling = events.filter((event) => event.status === (flow === 'onramp' ? 'completed' : 'PayoutSuccess'));
  const ofCompletion = (name: string): bigint | null =>
    flow === 'onramp'
      ? highest((event) => (event.status === 'completed' ? numberTextAt(event.payload, 'metaData', name) : null))
      : null;
  return {
    flow,
    status,
    phase: phaseOf(flow, status),
    fiat: numberAt(top, 'fiat') ?? 0n,
    currency: textAt(top, 'currency').toUpperCase(),
    symbol: textAt(top, `${token}Symbol`),
    address: textAt(top, `${token}Address`),
    chainId: numberAt(top, 'chainId') ?? 0n,
    amount:
      flow === 'onramp'
        ? highest(({ payload }) => numberTextAt(payload, 'transferredAmount'))
        : highest(({ payload }) => numberAt(payload, 'tokensDeducted')),
    baseUnits:
      flow === 'onramp'
        ? highest(({ payload }) => {
            const wei = textAt(payload, 'transferredAmountWei');
            return /^\d+$/.test(wei) ? scaled(wei) : null;
          })
        : null,
    commission: ofCompletion('commission'),
    rate: ofCompletion('conversionRate'),
    tds: flow === 'offramp' ? highest(({ payload }) => numberAt(payload, 'tds')) : null,
    createdAt: Date.parse(textAt(top, flow === 'onramp' ? 'createdAt' : 'created_at')),
    settledAt: settling.length === 0 ? null : Math.min(...settling.map(happenedAt)),
    anomalous: conflicts || isAnomalous(flow, events, attempts),
  };
};

/** Events by their key, each with what its duplicates have in common. */
type NaiveHistory = {
  readonly flow: string;
  readonly events: Map<string, Event & { readonly facts: string }>;
  conflicts: boolean;
};

/** The orders that deliveries make. The first delivery of a key counts, and an order's first delivery says its flow. */
export const naiveOrders = (deliveries: Iterable<Delivered>): readonly NaiveOrder[] => {
  const orders = new Map<
    string,
    { flow: string; events: Map<string, Event & { facts: string }>; conflicts: boolean }
  >();
  for (const { body, receivedAt, eventId } of deliveries) {
    const payload = parseKeepingDigits(body);
    const [orderId, flow] = [textAt(payload, 'orderId'), textAt(payload, 'eventType')];
    const [status, utr] = [textAt(payload, 'status'), textAt(payload, 'utr')];
    const order: NaiveHistory = orders.get(orderId) ?? { flow, events: new Map(), conflicts: false };
    orders.set(orderId, order);
    if (order.flow !== flow) continue;
    const [key, facts] = [JSON.stringify([status, utr]), sameness(payload)];
    const known = order.events.get(key);
    if (known === undefined) order.events.set(key, { eventId, receivedAt, payload, status, utr, facts });
    else if (known.facts !== facts) order.conflicts = true;
  }
  return [...orders.values()].map(({ flow, events, conflicts }) => naiveOrder(flow, [...events.values()], conflicts));
};
