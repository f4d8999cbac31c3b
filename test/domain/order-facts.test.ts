import { expect } from 'chai';
import * as fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../src/domain/json.ts';
import { factsOf, type OrderFacts } from '../../src/domain/order-facts.ts';
import { jsonValues, payloads } from '../support/arbitraries.ts';
import { offRamp, onRamp, orderPayload, without } from '../support/payloads.ts';

const factsIn = (payload: JsonObject | string): OrderFacts => factsOf(orderPayload(payload));
const unreadableIn = (payload: JsonObject | string): readonly string[] => factsIn(payload).unreadable;

const OTHER_TYPES: readonly JsonValue[] = [true, 5, [], {}, 'text'];

/** Optional fields with the types that they are read in; where a string is empty, it says nothing. */
const FIELDS = {
  onramp: { txnHash: 'string', transferredAmount: 'number text', transferredAmountWei: 'digits', metaData: 'object' },
  offramp: {
    updated_at: 'time',
    transactionId: 'string',
    tenantId: 'string',
    tokensDeducted: 'number',
    tds: 'number',
    metaData: 'object',
  },
} as const;

const isOfType = (type: string, value: JsonValue): boolean =>
  type === 'object'
    ? typeof value === 'object' && !Array.isArray(value)
    : type === 'string' || type === 'number'
      ? typeof value === type
      : false;

describe('factsOf', () => {
  it('reads an on-ramp payload', () => {
    const { customer, ...rest } = factsIn(
      onRamp({
        orderId: 'o',
        status: 'completed',
        fiat: 1e21,
        txnHash: '0xabc',
        metaData: { conversionRate: '90.20', commission: '0', ref: 7 },
      }),
    );
    expect(rest).to.deep.equal({
      flow: 'onramp',
      orderId: 'o',
      status: 'completed',
      utr: null,
      fiat: '1000000000000000000000',
      currency: 'INR',
      tokenSymbol: 'MATIC',
      tokenAddress: '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
      chainId: '80001',
      walletAddress: '0x1f9090aaE28b8a3dCeaDf281B0F12828e676c326',
      createdAt: '2023-03-01T06:31:08.000Z',
      metaData: { conversionRate: '90.20', commission: '0', ref: 7 },
      updatedAt: null,
      txnHash: '0xabc',
      transferredAmount: '0.01',
      transferredAmountWei: '10000000000000000',
      conversionRate: '90.20',
      commission: '0',
      transactionId: null,
      tenantId: null,
      tokensDeducted: null,
      tds: null,
      unreadable: [],
    });
    expect(customer).to.deep.equal({ id: '6384ad5d9f1c', email: 'asha.rao@example.com', name: null, phone: {} });
  });

  it('reads an off-ramp payload', () => {
    const facts = factsIn(
      JSON.stringify(offRamp({ orderId: 'o', utr: 'UTR1', updated_at: '2023-03-01T12:00:00+05:30' }))
        .replace('5023.5', '1051823.6300000001')
        .replace('61.25', '61.2500'),
    );
    expect(facts).to.deep.include({
      flow: 'offramp',
      utr: 'UTR1',
      fiat: '1051823.6300000001',
      currency: 'INR',
      tokenSymbol: 'USDT',
      walletAddress: '0x2f9090aaE28b8a3dCeaDf281B0F12828e676c327',
      createdAt: '2023-03-01T06:31:08.000Z',
      updatedAt: '2023-03-01T06:30:00.000Z',
      transactionId: 'TRAREF0000001',
      tenantId: '',
      tokensDeducted: '61.2500',
      tds: '1.5',
      txnHash: null,
      transferredAmount: null,
      metaData: null,
      unreadable: [],
    });
  });

  for (const { flow, sample } of [
    { flow: 'onramp', sample: onRamp },
    { flow: 'offramp', sample: offRamp },
  ] as const) {
    for (const [field, type] of Object.entries(FIELDS[flow])) {
      it(`${flow}: names ${field} where it is of another type, and only then`, () => {
        for (const value of OTHER_TYPES) {
          const expected = isOfType(type, value) ? [] : [field];
          expect(unreadableIn(sample({ [field]: value })), JSON.stringify(value)).to.deep.equal(expected);
        }
        expect(unreadableIn(without(sample(), field))).to.deep.equal([]);
        expect(unreadableIn(sample({ [field]: null }))).to.deep.equal([]);
        const emptyIsUnreadable = type === 'number' || type === 'object';
        expect(unreadableIn(sample({ [field]: '' }))).to.deep.equal(emptyIsUnreadable ? [field] : []);
      });
    }

    it(`${flow}: names members of the customer by their path`, () => {
      const customer = { id: 'c', email: 1, name: [], phone: { countrycode: 91, number: false }, created_at: 5 };
      expect(unreadableIn(sample({ customer }))).to.have.members([
        'customer.email',
        'customer.name',
        'customer.phone.countrycode',
        'customer.phone.number',
        'customer.created_at',
      ]);
      expect(unreadableIn(sample({ customer: { id: 'c', phone: '+91' } }))).to.deep.equal(['customer.phone']);
      expect(unreadableIn(sample({ customer: { id: 'c', phone: null, other: 5 } }))).to.deep.equal([]);
    });
  }

  it('names numbers beyond its bounds, and texts that are no numbers', () => {
    for (const amount of ['1e78', `0.${'0'.repeat(36)}1`, '9'.repeat(79), '1,5', ' 1', '0x1']) {
      expect(unreadableIn(onRamp({ transferredAmount: amount })), amount).to.deep.equal(['transferredAmount']);
    }
    for (const units of ['1.0', '-1', '1e3', '9'.repeat(79)]) {
      expect(unreadableIn(onRamp({ transferredAmountWei: units })), units).to.deep.equal(['transferredAmountWei']);
    }
    expect(unreadableIn(offRamp({ tds: 1e100, tokensDeducted: 1e-40 }))).to.deep.equal(['tokensDeducted', 'tds']);
    expect(unreadableIn(offRamp({ updated_at: '2023-02-30T00:00:00Z' }))).to.deep.equal(['updated_at']);
  });

  it('takes an empty hash, amount or time for none, and an empty name or id for what it is', () => {
    const onRampFacts = factsIn(onRamp({ txnHash: '', transferredAmount: '', transferredAmountWei: '' }));
    expect(onRampFacts).to.deep.include({ txnHash: null, transferredAmount: null, transferredAmountWei: null });
    const customer = { id: '', email: '', name: '' };
    const offRampFacts = factsIn(offRamp({ updated_at: '', tenantId: '', transactionId: '', customer }));
    expect(offRampFacts).to.deep.include({ updatedAt: null, tenantId: '', transactionId: '' });
    expect(offRampFacts.customer).to.deep.equal({ ...customer, phone: null });
  });

  it('reads rate and commission of the completed on-ramp event alone: elsewhere they are custom pairs', () => {
    const metaData = { conversionRate: 'soon', commission: 5 };
    expect(unreadableIn(onRamp({ status: 'completed', metaData }))).to.deep.equal([
      'metaData.conversionRate',
      'metaData.commission',
    ]);
    for (const payload of [onRamp({ metaData }), offRamp({ status: 'completed', metaData })]) {
      expect(factsIn(payload)).to.deep.include({ conversionRate: null, commission: null, unreadable: [], metaData });
    }
  });

  it('takes the zero timestamp for no time, and reads an updated_at of the on-ramp without missing it', () => {
    expect(factsIn(offRamp()).updatedAt).to.equal(null);
    expect(factsIn(onRamp({ updated_at: '2023-03-01T00:00:00Z' })).updatedAt).to.equal('2023-03-01T00:00:00.000Z');
    expect(factsIn(onRamp({ updated_at: 5 }))).to.deep.include({ updatedAt: null, unreadable: [] });
  });

  it('reads every readable payload, and says of each field either its value or that it has none', () => {
    fc.assert(
      fc.property(
        payloads,
        fc.dictionary(fc.constantFrom('txnHash', 'tds', 'metaData', 'tenantId'), jsonValues),
        (payload, over) => {
          const facts = factsIn({ ...payload, ...over });
          expect(new Set(facts.unreadable).size).to.equal(facts.unreadable.length);
          const read = new Map<string, unknown>(Object.entries(facts));
          for (const path of facts.unreadable) expect(read.get(path), path).to.equal(null);
        },
      ),
    );
  });
});
