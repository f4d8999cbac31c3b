import { expect } from 'chai';
import { foldOrder, type OrderState } from '../../../projections/order-state/index.ts';
import type { Closed } from '../../../projections/periods/index.ts';
import { branded } from '../../../src/domain/brand.ts';
import { businessCalendar } from '../../../src/domain/business-day.ts';
import type { EventId, OrderId } from '../../../src/domain/ids.ts';
import type { Instant } from '../../../src/domain/instant.ts';
import type { Month } from '../../../src/domain/month.ts';
import { sha256 } from '../../../src/domain/sha256.ts';
import { ordersBehind } from '../../../src/queries/periods/adjustments.ts';
import type { LedgerEvent } from '../../../src/domain/ledger-event.ts';
import { inArrivalOrder, onRampEvent } from '../../support/ledger-events.ts';

const CALENDAR = businessCalendar('UTC');
const IN_MARCH = { createdAt: '2026-03-05T06:31:08.000Z' };
const IN_MAY = { createdAt: '2026-05-05T06:31:08.000Z' };

const report = { sha256: sha256('') };
const MARCH: Closed = {
  data: {
    period: branded<Month>('2026-03'),
    timeZone: 'UTC',
    from: branded<Instant>('2026-03-01T00:00:00.000Z'),
    until: branded<Instant>('2026-04-01T00:00:00.000Z'),
    through: null,
    asOf: null,
    checkpoint: null,
    note: '',
    despite: [],
    checks: [],
    reports: { onramp: report, offramp: report },
    figures: '',
  },
  eventId: branded<EventId>('closed'),
  at: branded<Instant>('2026-04-02T00:00:00.000Z'),
  by: 'somebody',
};

const stateOf = (events: readonly LedgerEvent[]): OrderState | null => foldOrder(inArrivalOrder(events));

/** The reports of March behind which an order stands that had these events when it was closed, and has these now. */
const reportsBehind = async (
  before: readonly LedgerEvent[],
  now: readonly LedgerEvent[],
): Promise<readonly string[]> => {
  const changed = { orderId: branded<OrderId>('order-1'), before: stateOf(before), now: stateOf(now), eventIds: [] };
  return [...(await ordersBehind([changed], MARCH, CALENDAR)).keys()];
};

describe('the orders behind the adjustments of a closed month', () => {
  it('are those that add something else to a report than they did, in that report', async () => {
    const pending = [onRampEvent('fiatPending', IN_MARCH)];
    const completed = [...pending, onRampEvent('completed', IN_MARCH, { receivedAt: '2026-04-05T00:00:00.000Z' })];
    expect(await reportsBehind(pending, completed)).to.deep.equal(['["onramp","created","INR"]']);
  });

  it('are none that add what they did whatever came to them, or are of another month', async () => {
    const received = [onRampEvent('fiatReceived', IN_MARCH)];
    expect(await reportsBehind(received, [...received, onRampEvent('InProgress', IN_MARCH)])).to.deep.equal([]);
    const later = [onRampEvent('fiatPending', IN_MAY)];
    const settled = [...later, onRampEvent('completed', IN_MAY, { receivedAt: '2026-05-06T00:00:00.000Z' })];
    expect(await reportsBehind(later, settled)).to.deep.equal([]);
  });
});
