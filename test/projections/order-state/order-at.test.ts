import { expect } from 'chai';
import { foldOrder, orderAt, type Order } from '../../../projections/order-state/index.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import type { LedgerEvent } from '../../../src/domain/ledger-event.ts';
import { offRampEvent, onRampEvent } from '../../support/ledger-events.ts';

const at = (events: readonly LedgerEvent[], now: string): Order | null => {
  const state = foldOrder(events);
  return state === null ? null : orderAt(state, instantOf(Date.parse(now)));
};

const codes = (events: readonly LedgerEvent[], now: string): readonly string[] =>
  at(events, now)?.anomalies.map(({ code }) => code) ?? ['no order'];

const LONG_AFTER = '2030-01-01T00:00:00.000Z';
const idsOf = (events: readonly LedgerEvent[]): readonly string[] =>
  events.map(({ recorded }) => recorded.id).toSorted();

describe('overdue', () => {
  const pending = onRampEvent('fiatPending', { createdAt: '2024-01-01T10:00:00Z' });

  it('begins after more than three hours from createdAt', () => {
    expect(at([pending], '2024-01-01T13:00:00.000Z')).to.deep.include({ overdue: false, anomalies: [] });
    const order = at([pending], '2024-01-01T13:00:00.001Z');
    expect(order).to.include({ overdue: true, status: 'fiatPending', phase: 'open' });
    expect(order?.anomalies).to.deep.equal([
      {
        code: 'overdue',
        field: '',
        values: [],
        eventIds: [pending.recorded.id],
      },
    ]);
  });

  it('is judged by fiatPending being the only status', () => {
    for (const status of ['expired', 'orderReceived', 'refunded', 'onHold']) {
      const order = at([pending, onRampEvent(status, { createdAt: '2024-01-01T10:00:00Z' })], LONG_AFTER);
      expect(order?.overdue, status).to.equal(false);
      expect(order?.anomalies.map(({ code }) => code)).to.not.include('overdue');
    }
  });

  it('names every fiatPending event, and leaves conflicting deliveries aside', () => {
    const other = onRampEvent('fiatPending', { createdAt: '2024-01-01T10:00:00Z', utr: 'A' });
    const conflict = onRampEvent('completed', {}, { kind: 'conflict' });
    const order = at([pending, other, conflict], LONG_AFTER);
    expect(order?.overdue).to.equal(true);
    expect(order?.anomalies.find(({ code }) => code === 'overdue')?.eventIds).to.deep.equal(idsOf([pending, other]));
  });

  it('is no off-ramp matter', () => {
    expect(codes([offRampEvent('pending')], LONG_AFTER)).to.deep.equal([]);
    expect(codes([offRampEvent('fiatPending')], LONG_AFTER)).to.deep.equal(['unlisted-status']);
  });

  it('never comes at the end of the calendar', () => {
    const last = onRampEvent('fiatPending', { createdAt: '9999-12-31T23:00:00Z' });
    expect(codes([last], '9999-12-31T23:59:59.999Z')).to.deep.equal([]);
    expect(codes([last], LONG_AFTER)).to.deep.equal([]);
  });
});

const deemed = (utr: string | null, updated_at: string, receivedAt = '2024-01-05T00:00:00.000Z'): LedgerEvent =>
  offRampEvent('fiatDeemed', { utr, updated_at }, { receivedAt });

describe('deemed-too-long', () => {
  it('begins after more than a day from updated_at', () => {
    const event = deemed('A', '2024-01-01T00:00:00Z');
    expect(codes([event], '2024-01-02T00:00:00.000Z')).to.deep.equal([]);
    const order = at([event], '2024-01-02T00:00:00.001Z');
    expect(order).to.include({ status: 'fiatDeemed', phase: 'deemed', overdue: false });
    expect(order?.anomalies).to.deep.equal([
      {
        code: 'deemed-too-long',
        field: '',
        values: [],
        eventIds: idsOf([event]),
      },
    ]);
  });

  it('begins after more than a day from the receipt where updated_at is the zero timestamp', () => {
    const event = deemed('A', '0001-01-01T00:00:00Z');
    expect(codes([event], '2024-01-06T00:00:00.000Z')).to.deep.equal([]);
    expect(codes([event], '2024-01-06T00:00:00.001Z')).to.deep.equal(['deemed-too-long']);
  });

  it('counts from the earliest fiatDeemed of an attempt that still is, and names all of those', () => {
    const over = deemed('A', '2024-01-01T00:00:00Z');
    const failed = offRampEvent('fiatFailed', { utr: 'A' });
    const still = [deemed('B', '2024-01-03T00:00:00Z'), deemed('C', '2024-01-04T00:00:00Z')];
    const events = [over, failed, ...still];
    expect(codes(events, '2024-01-04T00:00:00.000Z')).to.deep.equal([]);
    expect(at(events, '2024-01-04T00:00:00.001Z')?.anomalies[0]?.eventIds).to.deep.equal(idsOf(still));
  });

  it('counts a fiatDeemed without utr for every attempt that still is', () => {
    const bare = deemed(null, '2024-01-01T00:00:00Z');
    const still = deemed('B', '2024-01-03T00:00:00Z');
    const events = [bare, offRampEvent('fiatFailed', { utr: 'A' }), still];
    expect(at(events, '2024-01-02T00:00:00.001Z')?.anomalies[0]?.eventIds).to.deep.equal(idsOf([bare, still]));
  });

  it('is there only where the order is shown as fiatDeemed', () => {
    const event = deemed('A', '2024-01-01T00:00:00Z');
    for (const later of [
      offRampEvent('PayoutSuccess', { utr: 'B' }),
      offRampEvent('fiatFailed', { utr: 'A' }),
      offRampEvent('refunded'),
    ]) {
      expect(codes([event, later], LONG_AFTER)).to.deep.equal([]);
    }
  });

  it('stands among the others by its code', () => {
    const events = [
      deemed('A', '2024-01-01T00:00:00Z'),
      offRampEvent('completed', { fiat: 1 }),
      offRampEvent('fiatDeemed', { utr: 'A', fiat: 2 }, { kind: 'conflict' }),
    ];
    expect(codes(events, LONG_AFTER)).to.deep.equal([
      'conflicting-delivery',
      'deemed-too-long',
      'fact-changed',
      'sample-completed',
    ]);
  });
});

describe('orderAt', () => {
  it('shows the state otherwise unchanged, without what it needs for the clock', () => {
    const state = foldOrder([offRampEvent('PayoutSuccess'), offRampEvent('refunded')]);
    if (state === null) throw new Error('no state');
    const { clockAnomaly, ...rest } = state;
    expect(clockAnomaly).to.equal(null);
    expect(orderAt(state, instantOf(Date.parse(LONG_AFTER)))).to.deep.equal({ ...rest, overdue: false });
  });
});
