import { expect } from 'chai';
import * as fc from 'fast-check';
import {
  CLOCK_ANOMALIES,
  foldOrder,
  LASTING_ANOMALIES,
  orderAt,
  type OrderState,
} from '../../../projections/order-state/index.ts';
import type { Flow } from '../../../src/domain/flow.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import type { LedgerEvent } from '../../../src/domain/ledger-event.ts';
import { OFF_RAMP_STATUSES, ON_RAMP_STATUSES } from '../../../src/domain/status.ts';
import { inArrivalOrder, offRampEvent, onRampEvent, type Members } from '../../support/ledger-events.ts';

/** Absent, or one of a few values, so that ties and changes are frequent. */
const maybe = (...values: readonly unknown[]): fc.Arbitrary<unknown> => fc.constantFrom(undefined, ...values);

const customer = fc.record({
  id: fc.constantFrom('', 'c1', 'c2'),
  email: maybe(null, '', 'a@example.com', 'b@example.com', 5),
  name: maybe('', 'A', 'B'),
  phone: maybe({}, { number: '1' }, { number: '2', other: { b: 1, a: 2 } }, { number: 3, other: { a: 2, b: 1 } }),
});

const bothFlows = {
  utr: fc.constantFrom(undefined, null, '', 'A', 'B', 'a'),
  fiat: fc.constantFrom(100, 100, 99.5),
  currency: fc.constantFrom('inr', 'INR', 'usd'),
  chainId: fc.constantFrom(1, 137),
  customer,
  metaData: maybe({}, { a: 1 }, { conversionRate: '90.2', commission: '1' }, { commission: 5 }, 'text'),
  updated_at: maybe('0001-01-01T00:00:00Z', '2024-01-01T00:00:00Z', '2024-01-02T00:00:00Z'),
};

const MEMBERS: Readonly<Record<Flow, fc.Arbitrary<Members>>> = {
  onramp: fc.record({
    ...bothFlows,
    receiverWalletAddress: fc.constantFrom('', '0xa', '0xA', '0xb'),
    buyTokenAddress: fc.constantFrom('0xa', '0xA', '0xb'),
    createdAt: fc.constantFrom('2024-01-01T00:00:00Z', '2024-01-01T05:30:00+05:30', '2024-01-02T00:00:00Z'),
    txnHash: maybe('', '0x1', '0x2', 7),
    transferredAmount: maybe('', '0.1', '0.10', '0.2'),
    transferredAmountWei: maybe('', '1', '2', 'x'),
  }),
  offramp: fc.record({
    ...bothFlows,
    senderWalletAddress: fc.constantFrom('', '0xa', '0xA', '0xb'),
    sellTokenSymbol: fc.constantFrom('USDT', 'USDC'),
    tenantId: maybe('', 't1', 't2'),
    transactionId: maybe('', 'x1', 'x2'),
    tokensDeducted: maybe(1, 2),
    tds: maybe(0, 1),
  }),
};

const STATUSES: Readonly<Record<Flow, fc.Arbitrary<string>>> = {
  onramp: fc.constantFrom(...ON_RAMP_STATUSES, 'onHold', 'cancelled'),
  // Payout statuses are weighted up, since their attempts are what is intricate.
  offramp: fc.oneof(
    fc.constantFrom(...OFF_RAMP_STATUSES, 'onHold', 'cancelled'),
    fc.constantFrom('fiatDeemed', 'fiatFailed', 'PayoutSuccess'),
  ),
};

const EVENT = { onramp: onRampEvent, offramp: offRampEvent };

const eventOf = (flow: Flow): fc.Arbitrary<LedgerEvent> =>
  fc
    .record({
      status: STATUSES[flow],
      members: MEMBERS[flow],
      kind: fc.constantFrom<LedgerEvent['kind']>('order', 'order', 'order', 'conflict'),
      receivedAt: fc.integer({ min: 0, max: 5 }).map((days) => instantOf(Date.UTC(2024, 0, 1 + days))),
    })
    .map(({ status, members, kind, receivedAt }) => EVENT[flow](status, members, { kind, receivedAt }));

/** Any set of events of one order, as they may stand in its stream. */
const eventSet: fc.Arbitrary<readonly LedgerEvent[]> = fc
  .constantFrom<Flow>('onramp', 'offramp')
  .chain((flow) => fc.uniqueArray(eventOf(flow), { maxLength: 10, selector: ({ recorded }) => recorded.id }));

const shuffled = (events: readonly LedgerEvent[]): fc.Arbitrary<readonly LedgerEvent[]> =>
  fc.shuffledSubarray([...events], { minLength: events.length });

const apartFromRevision = (events: readonly LedgerEvent[]): Omit<OrderState, 'revision'> | null => {
  const state = foldOrder(inArrivalOrder(events));
  if (state === null) return null;
  const { revision: _revision, ...rest } = state;
  return rest;
};

const text = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

describe('the state of an order', () => {
  it('does not depend on the order in which events arrived', () => {
    fc.assert(
      fc.property(
        eventSet.chain((events) => fc.tuple(fc.constant(events), shuffled(events))),
        ([events, other]) => {
          expect(apartFromRevision(other)).to.deep.equal(apartFromRevision(events));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('counts repeated events once, wherever they stand', () => {
    const repeated = eventSet.chain((events) =>
      fc.tuple(
        fc.constant(events),
        fc.subarray([...events]).chain((again) => shuffled([...events, ...again])),
      ),
    );
    fc.assert(
      fc.property(repeated, ([events, more]) => {
        expect(apartFromRevision(more)).to.deep.equal(apartFromRevision(events));
      }),
      { numRuns: 300 },
    );
  });

  it('has the highest revision, and is changed by conflicting deliveries in nothing else but counts and anomalies', () => {
    fc.assert(
      fc.property(eventSet, (events) => {
        const state = foldOrder(inArrivalOrder(events));
        const without = foldOrder(events.filter(({ kind }) => kind === 'order'));
        if (state === null || without === null) {
          expect(state).to.equal(without);
          return;
        }
        expect(state.revision).to.equal(events.length - 1);
        expect(state.eventCount).to.equal(events.length);
        const { revision, eventCount, lastReceivedAt } = state;
        const anomalies = state.anomalies.filter(({ code }) => code !== 'conflicting-delivery');
        expect({ ...state, anomalies }).to.deep.equal({ ...without, revision, eventCount, lastReceivedAt });
      }),
    );
  });

  it('has well-formed anomalies and payouts, ordered by content', () => {
    fc.assert(
      fc.property(eventSet, (events) => {
        const state = foldOrder(events);
        if (state === null) return;
        const ids = new Set<string>(events.map(({ recorded }) => recorded.id));
        const order = orderAt(state, instantOf(Date.UTC(2024, 0, 3)));
        const keys = order.anomalies.map(({ code, field }) => JSON.stringify([code, field]));
        expect(keys).to.deep.equal([...new Set(keys)]);
        expect(order.anomalies).to.deep.equal(
          order.anomalies.toSorted(
            (a, b) => [text(a.code, b.code), text(a.field, b.field)].find((order) => order !== 0) ?? 0,
          ),
        );
        expect(order.payouts).to.deep.equal(order.payouts.toSorted((a, b) => text(a.utr ?? '', b.utr ?? '')));
        expect(order.overdue).to.equal(order.anomalies.some(({ code }) => code === 'overdue'));
        for (const { code, values, eventIds } of order.anomalies) {
          expect([...LASTING_ANOMALIES, ...CLOCK_ANOMALIES]).to.include(code);
          expect(values).to.deep.equal([...new Set(values)].toSorted());
          expect(eventIds.length).to.be.greaterThan(0);
        }
        for (const { eventIds } of [...order.anomalies, ...order.payouts]) {
          expect(eventIds).to.deep.equal([...new Set(eventIds)].toSorted());
          expect(eventIds.every((id) => ids.has(id))).to.equal(true);
        }
      }),
    );
  });

  it('puts every payout event into an attempt, and no other', () => {
    fc.assert(
      fc.property(eventSet, (events) => {
        const state = foldOrder(events);
        const payouts = events.filter(
          ({ kind, facts }) =>
            kind === 'order' &&
            facts.flow === 'offramp' &&
            ['fiatDeemed', 'fiatFailed', 'PayoutSuccess'].includes(facts.status),
        );
        const inAttempts = new Set(state?.payouts.flatMap(({ eventIds }) => eventIds));
        expect([...inAttempts].toSorted()).to.deep.equal(payouts.map(({ recorded }) => recorded.id).toSorted());
      }),
    );
  });
});
