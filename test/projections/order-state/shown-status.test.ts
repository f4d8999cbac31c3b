import { expect } from 'chai';
import { foldOrder } from '../../../projections/order-state/index.ts';
import { OFF_RAMP_STATUSES, ON_RAMP_STATUSES } from '../../../src/domain/status.ts';
import { offRampEvent, onRampEvent } from '../../support/ledger-events.ts';

const FLOWS = [
  ['on-ramp', onRampEvent, ON_RAMP_STATUSES],
  ['off-ramp', offRampEvent, OFF_RAMP_STATUSES],
] as const;

describe('shown status', () => {
  for (const [flow, event, statuses] of FLOWS) {
    it(`is the higher of any two, whichever came first (${flow})`, () => {
      statuses.forEach((higher, i) => {
        for (const lower of statuses.slice(0, i)) {
          expect(foldOrder([event(lower), event(higher)])?.status).to.equal(higher);
          expect(foldOrder([event(higher), event(lower)])?.status).to.equal(higher);
        }
      });
    });

    it(`is an unlisted one only where no listed one occurred (${flow})`, () => {
      const lowest = statuses[0];
      expect(foldOrder([event('cancelled')])?.status).to.equal('cancelled');
      expect(foldOrder([event('cancelled'), event(lowest)])?.status).to.equal(lowest);
    });

    it(`is, of several unlisted ones, that of the lowest event id (${flow})`, () => {
      const events = ['cancelled', 'onHold', 'a', 'b'].map((status) => event(status));
      const [first] = events.toSorted((a, b) => (a.recorded.id < b.recorded.id ? -1 : 1));
      expect(foldOrder(events)?.status).to.equal(first?.facts.status);
      expect(foldOrder(events.toReversed())?.status).to.equal(first?.facts.status);
    });
  }

  it('takes a status of the other flow for an unlisted one', () => {
    expect(foldOrder([onRampEvent('PayoutSuccess'), onRampEvent('fiatPending')])?.status).to.equal('fiatPending');
    expect(foldOrder([offRampEvent('refunding'), offRampEvent('pending')])?.status).to.equal('pending');
  });
});
