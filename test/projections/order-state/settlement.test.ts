import { expect } from 'chai';
import { foldOrder } from '../../../projections/order-state/index.ts';
import { offRampEvent, onRampEvent } from '../../support/ledger-events.ts';

const RECEIVED = '2024-02-03T04:05:06.000Z';
const arrival = { receivedAt: RECEIVED };

describe('settledAt', () => {
  it('is the receipt of completed', () => {
    expect(foldOrder([onRampEvent('fiatPending'), onRampEvent('completed', {}, arrival)])?.settledAt).to.equal(
      RECEIVED,
    );
  });

  it('is updated_at of PayoutSuccess where that is a real time, else its receipt', () => {
    const real = offRampEvent('PayoutSuccess', { updated_at: '2023-03-02T01:02:03.456Z' }, arrival);
    expect(foldOrder([real])?.settledAt).to.equal('2023-03-02T01:02:03.456Z');
    expect(foldOrder([offRampEvent('PayoutSuccess', {}, arrival)])?.settledAt).to.equal(RECEIVED);
  });

  it('is the earliest of several', () => {
    const events = ['2024-05-09', '2024-05-07', '2024-05-08'].map((day, i) =>
      offRampEvent('PayoutSuccess', { utr: `U${i}`, updated_at: `${day}T00:00:00Z` }),
    );
    expect(foldOrder(events)?.settledAt).to.equal('2024-05-07T00:00:00.000Z');
  });

  it('stays after a refund', () => {
    const completed = onRampEvent('completed', {}, arrival);
    const state = foldOrder([completed, onRampEvent('refunding'), onRampEvent('refunded')]);
    expect(state).to.include({ phase: 'refunded', settledAt: RECEIVED });
  });

  it('is null where nothing settled the order', () => {
    for (const status of ['pending', 'completed', 'fiatDeemed', 'fiatFailed', 'refunded']) {
      expect(foldOrder([offRampEvent(status)])?.settledAt).to.equal(null);
    }
    for (const status of ['transferred', 'refunded', 'PayoutSuccess']) {
      expect(foldOrder([onRampEvent(status)])?.settledAt).to.equal(null);
    }
  });
});
