import { expect } from 'chai';
import * as t from 'io-ts';
import { accepted } from '../support/answers.ts';
import { deliver, exchange } from '../support/exchange.ts';
import { bodyOf, newOrderId } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { API_KEY, startLedger, type RunningLedger } from '../support/running-ledger.ts';

const Quarantined = t.type({
  reasons: t.array(t.type({ path: t.string, message: t.string })),
  orderId: t.union([t.string, t.null]),
});

/** A shape that other documents of the provider show: the fields in lower case, inside of a wrapper. */
const wrapped = (orderid: string): Buffer =>
  bodyOf({
    request_data: {
      fiat: 100,
      receiverwalletaddress: '0x1f90',
      buytokensymbol: 'MATIC',
      buytokenaddress: '0xeeee',
      orderid,
      status: 'completed',
      currency: 'inr',
      chainid: 80001,
      customer: { id: 'c1' },
      txnhash: '0x1',
      createdat: '2023-03-01T06:31:08.000Z',
      eventtype: 'onramp',
    },
  });

describe('the wrapped shape', () => {
  let ledger: RunningLedger;
  before(async () => {
    ledger = await startLedger();
  });
  after(() => ledger.close());

  it('is quarantined whole, with a reason for each field that is missing, and is no order', async () => {
    const orderId = newOrderId();
    const body = wrapped(orderId);
    const answer = accepted(await deliver(ledger.url, body));
    expect(answer).to.include({ outcome: 'quarantined', orderId: null, revision: 0 });
    expect(await ledger.bytesAt(answer.stream, 0)).to.deep.equal(body);
    const [event] = await ledger.eventsOf(answer.stream);
    const { reasons, orderId: named } = right(Quarantined.decode(JSON.parse(event?.data ?? '')));
    expect(named).to.equal(null);
    expect(reasons.map(({ path }) => path)).to.have.members([
      'eventType',
      'orderId',
      'status',
      'fiat',
      'currency',
      'chainId',
      'customer',
    ]);
    expect(reasons.find(({ path }) => path === 'eventType')?.message).to.equal(
      'expected "onramp" or "offramp", got nothing',
    );
    const path = `/v1/orders/${orderId}`;
    const order = await exchange(ledger.url, { path, headers: { authorization: `Bearer ${API_KEY}` } });
    expect(order.status).to.equal(404);
  });
});
