import { expect } from 'chai';
import { foldOrder } from '../../../projections/order-state/index.ts';
import type { LedgerEvent } from '../../../src/domain/ledger-event.ts';
import { eventOfBody, offRampEvent, onRampEvent } from '../../support/ledger-events.ts';

const lowestId = (events: readonly LedgerEvent[]): LedgerEvent | undefined =>
  events.toSorted((a, b) => (a.recorded.id < b.recorded.id ? -1 : 1))[0];

describe('foldOrder', () => {
  it('is null without an order event', () => {
    expect(foldOrder([])).to.equal(null);
    expect(foldOrder([onRampEvent('completed', {}, { kind: 'conflict' })])).to.equal(null);
  });

  it('shows an on-ramp order', () => {
    const settled = {
      txnHash: '0xab',
      transferredAmount: '0.250',
      transferredAmountWei: '250000000000000000',
      metaData: { conversionRate: '90.20', commission: '1.75', shop: 'north' },
    };
    const state = foldOrder([onRampEvent('fiatPending'), onRampEvent('completed', settled, { revision: 1 })]);
    expect(state).to.deep.include({
      orderId: 'order-1',
      flow: 'onramp',
      status: 'completed',
      phase: 'settled',
      fiat: { amount: '100', currency: 'INR' },
      token: { symbol: 'MATIC', address: '0xEEEE', chainId: '80001', amount: '0.250', baseUnits: '250000000000000000' },
      walletAddress: '0x1F90',
      txnHash: '0xab',
      commission: '1.75',
      conversionRate: '90.20',
      transactionId: null,
      tokensDeducted: null,
      tds: null,
      tenantId: null,
      payouts: [],
      customer: { id: 'c1', email: 'asha.rao@example.com', name: null, phone: {} },
      metaData: settled.metaData,
      createdAt: '2023-03-01T06:31:08.000Z',
      revision: 1,
      eventCount: 2,
      anomalies: [],
    });
  });

  it('shows an off-ramp order: its token amount is what was deducted, base units unknown', () => {
    expect(foldOrder([offRampEvent('CryptoReceived')])).to.deep.include({
      flow: 'offramp',
      phase: 'open',
      fiat: { amount: '5023.5', currency: 'INR' },
      token: { symbol: 'USDT', address: '0xDAC1', chainId: '137', amount: '61.25', baseUnits: null },
      txnHash: null,
      transactionId: 'TRAREF0000001',
      tokensDeducted: '61.25',
      tds: '1.5',
      tenantId: '',
      metaData: {},
    });
  });

  it('keeps every digit that came', () => {
    const text = JSON.stringify(offRampEvent('pending').payload).replace('5023.5', '1051823.6300000001');
    expect(foldOrder([eventOfBody(Buffer.from(text))])?.fiat.amount).to.equal('1051823.6300000001');
  });

  it('takes what should not change from the highest event, the customer as a whole', () => {
    const other = {
      fiat: 7,
      currency: 'usd',
      receiverWalletAddress: '0xw',
      buyTokenSymbol: 'ETH',
      buyTokenAddress: '0xt',
      chainId: 1,
      createdAt: '2024-05-06T00:00:00+05:30',
      customer: { id: 'c9' },
    };
    const state = foldOrder([
      onRampEvent('completed', other),
      onRampEvent('refunding', {}),
      onRampEvent('refunded', other),
    ]);
    expect(state).to.deep.include({
      fiat: { amount: '7', currency: 'USD' },
      walletAddress: '0xw',
      customer: { id: 'c9', email: null, name: null, phone: null },
      createdAt: '2024-05-05T18:30:00.000Z',
    });
    expect(state?.token).to.include({ symbol: 'ETH', address: '0xt', chainId: '1' });
  });

  it('takes it from the one with the lowest event id where several are equally high', () => {
    const events = ['A', 'B', 'C', 'D'].map((utr, i) =>
      offRampEvent('fiatDeemed', { utr, fiat: i, tds: i, transactionId: utr }),
    );
    const facts = lowestId(events)?.facts;
    for (const arrivals of [events, events.toReversed()]) {
      const state = foldOrder(arrivals);
      expect(state?.fiat.amount).to.equal(facts?.fiat);
      expect(state).to.include({ tds: facts?.tds, transactionId: facts?.transactionId });
    }
  });

  it('takes amounts, hash and metadata, each on its own, from the highest event that has them', () => {
    const none = { txnHash: '', transferredAmount: undefined, transferredAmountWei: undefined, metaData: undefined };
    const state = foldOrder([
      onRampEvent('refunded', { ...none, transferredAmount: '' }),
      onRampEvent('completed', { ...none, transferredAmountWei: '7', metaData: {} }),
      onRampEvent('transferred', { ...none, txnHash: '0xh', transferredAmountWei: '6' }),
      onRampEvent('orderReceived', { ...none, txnHash: '0xlower', transferredAmount: '0.5', metaData: { a: 1 } }),
      onRampEvent('fiatPending', { ...none, transferredAmount: '0.4', metaData: { b: 1 } }),
    ]);
    expect(state?.token).to.include({ amount: '0.5', baseUnits: '7' });
    expect(state?.txnHash).to.equal('0xh');
    expect(state?.metaData).to.deep.equal({ a: 1 });
  });

  it('takes off-ramp amounts and texts likewise, an empty text only where no event has a fuller one', () => {
    const none = { tenantId: undefined, transactionId: undefined, tokensDeducted: undefined, tds: null };
    const state = foldOrder([
      offRampEvent('PayoutSuccess', { ...none, transactionId: '' }),
      offRampEvent('CryptoReceived', { ...none, tds: 2, transactionId: 'T2', tenantId: '' }),
      offRampEvent('pending', { ...none, tds: 1, tokensDeducted: 9, transactionId: 'T1' }),
    ]);
    expect(state).to.include({ transactionId: 'T2', tenantId: '', tds: '2', tokensDeducted: '9' });
    expect(state?.token.amount).to.equal('9');
  });

  it('shows null where no event has them', () => {
    const none = { txnHash: null, transferredAmount: undefined, transferredAmountWei: '' };
    const state = foldOrder([onRampEvent('orderReceived', none)]);
    expect(state?.txnHash).to.equal(null);
    expect(state?.token).to.include({ amount: null, baseUnits: null });
    const texts = foldOrder([offRampEvent('pending', { tenantId: undefined, transactionId: undefined })]);
    expect(texts).to.include({ tenantId: null, transactionId: null });
  });

  it('takes commission and rate from completed alone, after a refund too', () => {
    const completed = onRampEvent('completed', { metaData: { conversionRate: '90', commission: '1' } });
    const refunded = onRampEvent('refunded', { metaData: { conversionRate: '80', commission: '2' } });
    expect(foldOrder([completed, refunded])).to.include({ conversionRate: '90', commission: '1' });
    expect(foldOrder([refunded])).to.include({ conversionRate: null, commission: null });
  });

  it('counts a repeated event once, and shows the one that was durable first', () => {
    const first = offRampEvent('PayoutSuccess', { updated_at: '2024-01-02T00:00:00Z' }, { revision: 0 });
    const again = offRampEvent('PayoutSuccess', { updated_at: '2024-01-01T00:00:00Z' }, { revision: 1 });
    for (const events of [
      [first, again],
      [again, first],
      [first, again, again],
    ]) {
      expect(foldOrder(events)).to.include({ eventCount: 1, revision: 1, settledAt: '2024-01-02T00:00:00.000Z' });
    }
  });

  it('counts conflicting deliveries, which change neither facts, status nor the first receipt', () => {
    const order = [
      onRampEvent('fiatPending', {}, { revision: 0, receivedAt: '2024-01-02T00:00:00.000Z' }),
      onRampEvent('orderReceived', {}, { revision: 1, receivedAt: '2024-01-03T00:00:00.000Z' }),
    ];
    const conflicts = [
      onRampEvent('completed', { fiat: 1 }, { kind: 'conflict', revision: 2, receivedAt: '2024-01-01T00:00:00.000Z' }),
      onRampEvent('completed', { fiat: 2 }, { kind: 'conflict', revision: 3, receivedAt: '2024-01-04T00:00:00.000Z' }),
    ];
    const without = foldOrder(order);
    const state = foldOrder([...order, ...conflicts]);
    expect(state).to.include({
      revision: 3,
      eventCount: 4,
      firstReceivedAt: '2024-01-02T00:00:00.000Z',
      lastReceivedAt: '2024-01-04T00:00:00.000Z',
    });
    expect(state?.anomalies.map(({ code }) => code)).to.deep.equal(['conflicting-delivery']);
    expect({
      ...state,
      revision: 1,
      eventCount: 2,
      lastReceivedAt: '2024-01-03T00:00:00.000Z',
      anomalies: [],
    }).to.deep.equal(without);
  });
});
