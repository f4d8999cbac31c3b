import { expect } from 'chai';
import * as fc from 'fast-check';
import { EVENT_TYPES, orderEventType, typeFits } from '../../src/domain/event-type.ts';
import type { Flow } from '../../src/domain/flow.ts';
import { isListed, OFF_RAMP_STATUSES, ON_RAMP_STATUSES, phaseOf, rankOf } from '../../src/domain/status.ts';
import { anyText, flows } from '../support/arbitraries.ts';

const STRANGE = ['', 'onHold', 'FiatPending', 'COMPLETED', 'inProgress', 'UnlistedStatus', 'constructor', '__proto__'];

describe('orderEventType', () => {
  it('is flow and status, as the design spells them', () => {
    expect(ON_RAMP_STATUSES.map((status) => orderEventType('onramp', status))).to.deep.equal([
      'OnRampFiatPending',
      'OnRampExpired',
      'OnRampOrderReceived',
      'OnRampInProgress',
      'OnRampFiatReceived',
      'OnRampTransferred',
      'OnRampCompleted',
      'OnRampRefunding',
      'OnRampRefunded',
    ]);
    expect(OFF_RAMP_STATUSES.map((status) => orderEventType('offramp', status))).to.deep.equal([
      'OffRampPending',
      'OffRampOrderReceived',
      'OffRampInProgress',
      'OffRampCryptoReceived',
      'OffRampCompleted',
      'OffRampFiatDeemed',
      'OffRampFiatFailed',
      'OffRampPayoutSuccess',
      'OffRampRefunded',
    ]);
  });

  it('has one type for all statuses that the interface does not list', () => {
    for (const status of [...STRANGE, 'PayoutSuccess']) {
      expect(orderEventType('onramp', status)).to.equal('OnRampUnlistedStatus');
    }
    for (const status of [...STRANGE, 'fiatPending', 'expired']) {
      expect(orderEventType('offramp', status)).to.equal('OffRampUnlistedStatus');
    }
  });

  it('gives types that the ledger knows, and that fit nothing else', () => {
    const statuses = fc.oneof(fc.constantFrom(...ON_RAMP_STATUSES, ...OFF_RAMP_STATUSES, ...STRANGE), anyText());
    fc.assert(
      fc.property(flows, statuses, flows, statuses, (flow, status, otherFlow, other) => {
        const type = orderEventType(flow, status);
        expect(EVENT_TYPES).to.include(type);
        const same = flow === otherFlow && (status === other || (!isListed(flow, status) && !isListed(flow, other)));
        expect(typeFits(type, otherFlow, other)).to.equal(same);
      }),
    );
  });
});

const phases = (flow: Flow, statuses: readonly string[]): readonly string[] =>
  statuses.map((status) => phaseOf(flow, status));

describe('a status', () => {
  it('ranks in the order of the design, unlisted ones below all', () => {
    expect(rankOf('onramp', 'expired')).to.be.greaterThan(rankOf('onramp', 'fiatPending'));
    expect(rankOf('onramp', 'orderReceived')).to.be.greaterThan(rankOf('onramp', 'expired'));
    expect(rankOf('offramp', 'PayoutSuccess')).to.be.greaterThan(rankOf('offramp', 'fiatFailed'));
    for (const status of STRANGE) {
      expect([rankOf('onramp', status), isListed('onramp', status)]).to.deep.equal([-1, false]);
    }
  });

  it('has the phase of the contract', () => {
    expect(phases('onramp', ON_RAMP_STATUSES)).to.deep.equal([
      'open',
      'expired',
      'open',
      'open',
      'open',
      'open',
      'settled',
      'refunding',
      'refunded',
    ]);
    expect(phases('offramp', OFF_RAMP_STATUSES)).to.deep.equal([
      'open',
      'open',
      'open',
      'open',
      'open',
      'deemed',
      'failed',
      'settled',
      'refunded',
    ]);
    expect(new Set(phases('offramp', STRANGE))).to.deep.equal(new Set(['open']));
  });
});
