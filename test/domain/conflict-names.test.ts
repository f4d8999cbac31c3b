import { expect } from 'chai';
import { conflictNameOf, conflictNamesEver } from '../../src/domain/conflict-names.ts';
import { offRamp, orderPayload } from '../support/payloads.ts';

const FIRST = offRamp({ orderId: 'o', status: 'fiatDeemed', utr: 'U1' });

describe('the name of a conflict', () => {
  it('is one for the same facts under the same key, however a provider says them, and another for others', () => {
    const name = conflictNameOf(orderPayload(FIRST));
    for (const same of [
      { ...FIRST, updated_at: '2024-01-01T00:00:00Z' },
      { ...FIRST, currency: 'inr' },
      JSON.stringify(FIRST, null, 2),
    ]) {
      expect(conflictNameOf(orderPayload(same))).to.equal(name);
    }
    for (const other of [{ fiat: 1 }, { utr: 'U2' }, { status: 'fiatFailed' }, { orderId: 'p' }, { source: 'other' }])
      expect(conflictNameOf(orderPayload({ ...FIRST, ...other })), JSON.stringify(other)).not.to.equal(name);
  });

  it('is the only one that there ever was, but where other letters were taken for those of a currency', () => {
    expect(conflictNamesEver(orderPayload(FIRST))).to.deep.equal([conflictNameOf(orderPayload(FIRST))]);
    const dotless = orderPayload({ ...FIRST, currency: 'ınr' });
    expect(conflictNamesEver(dotless)).to.deep.equal([conflictNameOf(dotless), conflictNameOf(orderPayload(FIRST))]);
  });
});
