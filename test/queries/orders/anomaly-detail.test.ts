import { expect } from 'chai';
import { CLOCK_ANOMALIES, foldOrder, LASTING_ANOMALIES } from '../../../projections/order-state/index.ts';
import { anomalyDetail } from '../../../src/queries/orders/anomaly-detail.ts';
import { offRampEvent } from '../../support/ledger-events.ts';

const CUSTOMER = {
  id: 'cust-id',
  email: 'secret@example.com',
  name: 'Secret',
  phone: { number: '555', other: 'x555' },
};
const CHANGED = { id: 'cust-2', email: 'other@example.com', name: 'Zoe', phone: { number: '777', other: 'x777' } };

describe('what an anomaly says', () => {
  it('names its field with its values, and neither where they are personal and the caller may not see them', () => {
    const changed = { code: 'fact-changed', field: 'customer.phone.Zoe 555', values: ['1', '2'] } as const;
    expect(anomalyDetail(changed, 'shown')).to.equal('customer.phone.Zoe 555 changed: 1, 2');
    expect(anomalyDetail(changed, 'masked')).to.equal('customer.phone.*** changed: ***, ***');
  });

  it('shows no address in a status that nobody lists to those who may not see it', () => {
    const unlisted = { code: 'unlisted-status', field: 'status', values: ['sent to asha@example.com'] } as const;
    expect(anomalyDetail(unlisted, 'shown')).to.match(/: sent to asha@example\.com$/);
    expect(anomalyDetail(unlisted, 'masked')).to.match(/: sent to a\*\*\*@example\.com$/);
  });

  it('says a field that is a word of its sentence once', () => {
    const unreadable = { code: 'field-unreadable', field: 'of', values: [] } as const;
    expect(anomalyDetail(unreadable, 'masked')).to.equal('of is of another type than the interface says');
  });

  it('holds nothing personal for those who may not see it, whatever does not fit', () => {
    const state = foldOrder([
      offRampEvent('PayoutSuccess', { customer: CUSTOMER, utr: 'A', metaData: { note: 'private' } }),
      offRampEvent('fiatFailed', { customer: CHANGED, utr: 'A' }),
      offRampEvent('refunded', { customer: { ...CUSTOMER, email: 5 }, metaData: 'private' }),
      offRampEvent('fiatFailed', { customer: CUSTOMER, utr: 'A' }, { kind: 'conflict' }),
    ]);
    expect(state?.anomalies.length).to.be.greaterThan(7);
    for (const found of state?.anomalies ?? []) {
      expect(anomalyDetail(found, 'masked'))
        .to.match(/\w/)
        .and.not.match(/secret|other@|Zoe|555|777|private/i);
    }
  });

  for (const code of [...LASTING_ANOMALIES, ...CLOCK_ANOMALIES]) {
    it(`of ${code} is the same for everybody where nothing came with it`, () => {
      const bare = { code, field: 'status', values: [] };
      expect(anomalyDetail(bare, 'masked'))
        .to.equal(anomalyDetail(bare, 'shown'))
        .and.to.match(/^[\w ,]+$/);
    });
  }
});
