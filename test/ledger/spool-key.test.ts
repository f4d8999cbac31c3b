import { expect } from 'chai';
import type { JsonObject } from '../../src/domain/json.ts';
import { readContent } from '../../src/domain/read-content.ts';
import { spoolKey } from '../../src/ledger/spool-key.ts';
import { bodyOf, onRamp, verifiedDelivery } from '../support/payloads.ts';

const keyOf = (payload: JsonObject | string): string => {
  const body = bodyOf(payload);
  return spoolKey({ verified: verifiedDelivery(body), content: readContent(body) });
};

describe('spool-key', () => {
  it('is the same for all that names an order, readable or not, and another for everything else', () => {
    const named = [{}, { status: 'completed' }, { fiat: 'a lot' }].map((over) => onRamp({ orderId: 'a', ...over }));
    expect(named.map(keyOf)).to.deep.equal(['order-a', 'order-a', 'order-a']);
    const others = ['x', 'y', onRamp({ orderId: 'b' })].map(keyOf);
    expect(new Set([...others, 'order-a']).size).to.equal(4);
  });
});
