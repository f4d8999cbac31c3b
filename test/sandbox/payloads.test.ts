import { Big } from 'big.js';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { FLOWS, type Flow } from '../../src/domain/flow.ts';
import { ExactNumber } from '../../src/domain/json.ts';
import { parseInstant } from '../../src/domain/instant.ts';
import { readContent } from '../../src/domain/read-content.ts';
import { factsOf } from '../../src/domain/order-facts.ts';
import { isListed } from '../../src/domain/status.ts';
import { NAMED_PATHS } from '../../src/sandbox/path.ts';
import { at, NumberSource, parseKeepingDigits } from '../support/naive-json.ts';
import { sandboxOf, sentFor } from './sandbox-scene.ts';

/** What docs/spec/provider.md's tables say of each member; a `?` at the end: it may be absent. */
const COMMON: Readonly<Record<string, string>> = {
  fiat: 'number',
  orderId: 'string',
  status: 'string',
  currency: 'string',
  chainId: 'number',
  'customer.id': 'string',
  'customer.email': 'string',
  'customer.phone': 'object',
  'customer.created_at': 'time',
  eventType: 'string',
};
const TABLES: Readonly<Record<Flow, Readonly<Record<string, string>>>> = {
  onramp: {
    ...COMMON,
    receiverWalletAddress: 'string',
    buyTokenSymbol: 'string',
    buyTokenAddress: 'string',
    txnHash: 'string',
    transferredAmount: 'decimal',
    transferredAmountWei: 'digits',
    createdAt: 'time',
    metaData: 'object',
  },
  offramp: {
    ...COMMON,
    senderWalletAddress: 'string',
    sellTokenSymbol: 'string',
    sellTokenAddress: 'string',
    created_at: 'time',
    updated_at: 'time',
    tenantId: 'string',
    transactionId: 'string',
    tokensDeducted: 'number',
    tds: 'number',
    source: 'string',
    'customer.name': 'string',
    'customer.phone.countrycode': 'string',
    'customer.phone.number': 'string',
    metaData: 'object?',
    utr: 'string?',
  },
};

const isText = (value: unknown): value is string => typeof value === 'string';

const KINDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: isText,
  decimal: (value) => isText(value) && /^\d+(\.\d+)?$/.test(value),
  digits: (value) => isText(value) && /^\d+$/.test(value),
  time: (value) => isText(value) && parseInstant(value) !== null && value.endsWith('Z'),
  number: (value) => value instanceof NumberSource && /^\d+(\.\d*[1-9])?$/.test(value.source),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

const isOfKind = (kind: string, value: unknown): boolean =>
  (kind.endsWith('?') && value === undefined) || KINDS[kind.replace('?', '')]?.(value) === true;

const membersOf = (payload: unknown): readonly (readonly [string, unknown])[] =>
  typeof payload === 'object' && payload !== null ? Object.entries(payload) : [];

const amountAt = (payload: unknown, ...path: readonly string[]): Big => {
  const value = at(payload, ...path);
  return new Big(value instanceof NumberSource ? value.source : String(value));
};

const orders = fc.constantFrom(...FLOWS).chain((flow) =>
  fc.record({
    flow: fc.constant(flow),
    path: fc.constantFrom(...NAMED_PATHS[flow].keys()),
    seed: fc.string(),
  }),
);

const payloadsOf = async (order: { flow: Flow; path: string; seed: string }): Promise<readonly unknown[]> => {
  const { flow, path, seed } = order;
  return (await sentFor(sandboxOf({ seed }), { flow, path })).map(parseKeepingDigits);
};

describe("the sandbox's payloads", () => {
  it('have every member of the tables, and no other at the top, in the forms of the interface', () =>
    fc.assert(
      fc.asyncProperty(orders, async (order) => {
        const table = TABLES[order.flow];
        for (const payload of await payloadsOf(order)) {
          for (const [path, kind] of Object.entries(table)) {
            expect(isOfKind(kind, at(payload, ...path.split('.'))), `${path}: ${JSON.stringify(payload)}`).to.equal(
              true,
            );
          }
          expect(Object.keys(table)).to.include.members(
            membersOf(payload)
              .map(([name]) => name)
              .filter((name) => name !== 'customer'),
          );
          expect(at(payload, 'eventType')).to.equal(order.flow);
        }
      }),
    ));

  it('are read by the ledger without a field that it can not read', () =>
    fc.assert(
      fc.asyncProperty(orders, async ({ flow, path, seed }) => {
        for (const body of await sentFor(sandboxOf({ seed }), { flow, path })) {
          const content = readContent(Buffer.from(body));
          if (content._tag !== 'OrderEvent') return expect.fail(JSON.stringify(content.reasons));
          const facts = factsOf(content.payload);
          expect(facts.unreadable).to.deep.equal([]);
          expect(isListed(flow, facts.status)).to.equal(true);
        }
        return undefined;
      }),
    ));

  it('name amounts that fit each other to the last digit', () =>
    fc.assert(
      fc.asyncProperty(orders, async (order) => {
        for (const payload of await payloadsOf(order)) {
          const fiat = amountAt(payload, 'fiat');
          expect(fiat.gt(0)).to.equal(true);
          if (order.flow === 'offramp') {
            expect(amountAt(payload, 'tokensDeducted').gt(0)).to.equal(true);
            expect(amountAt(payload, 'tds').gte(0)).to.equal(true);
            continue;
          }
          const amount = amountAt(payload, 'transferredAmount');
          expect(amount.gt(0)).to.equal(true);
          expect(amountAt(payload, 'transferredAmountWei').toFixed()).to.equal(amount.times('1e18').toFixed());
          if (at(payload, 'status') !== 'completed') continue;
          const commission = amountAt(payload, 'metaData', 'commission');
          const rate = amountAt(payload, 'metaData', 'conversionRate');
          expect(amount.times(rate).plus(commission).toFixed()).to.equal(fiat.toFixed());
          expect(commission.gte(0)).to.equal(true);
        }
      }),
    ));

  it('say of an order the same facts in all of its events', () =>
    fc.assert(
      fc.asyncProperty(orders, async (order) => {
        const changing = ['status', 'txnHash', 'updated_at', 'utr', 'metaData'];
        const facts = (await payloadsOf(order)).map((payload) =>
          JSON.stringify(membersOf(payload).filter(([name]) => !changing.includes(name))),
        );
        expect(new Set(facts).size).to.equal(1);
      }),
    ));

  it('carry the hash of a transfer only once there is one, and rate and commission only at completion', async () => {
    for (const payload of await payloadsOf({ flow: 'onramp', path: 'completed-in-progress', seed: 'a' })) {
      const status = at(payload, 'status');
      expect(at(payload, 'txnHash'), String(status)).to.match(
        status === 'transferred' || status === 'completed' ? /^0x[0-9a-f]{64}$/ : /^$/,
      );
      expect(at(payload, 'metaData', 'conversionRate') !== undefined, String(status)).to.equal(status === 'completed');
      expect(isText(at(payload, 'metaData', 'merchantReference'))).to.equal(true);
    }
  });

  it('come in all the forms of the samples: currencies of either case, zero timestamps, empty phones and names', async () => {
    const sandbox = sandboxOf();
    await sandbox.play({ orders: 300, rate: null, withinMs: 86_400_000, faults: new Set() });
    const all = sandbox.deliveries.all().map(({ parcel }) => parseKeepingDigits(parcel.body.toString()));
    const values = (...path: readonly string[]): readonly unknown[] => all.map((payload) => at(payload, ...path));
    expect(values('currency')).to.include.members(['inr', 'INR', 'eur', 'AED']);
    expect(values('updated_at')).to.include('0001-01-01T00:00:00Z');
    expect(values('customer', 'name')).to.include.members(['', 'Zoë Müller', undefined]);
    expect(values('customer', 'phone', 'number')).to.include('');
    expect(values('source')).to.include('');
    const onRamp = all.filter((payload) => at(payload, 'eventType') === 'onramp');
    expect(new Set(onRamp.map((payload) => JSON.stringify(at(payload, 'customer', 'phone'))))).to.have.all.keys('{}');
  });

  it('keep given members digit for digit, and fit the rest to them', async () => {
    const [body = ''] = await sentFor(sandboxOf(), {
      flow: 'onramp',
      path: ['completed'],
      fiat: new ExactNumber('1234.50'),
      currency: 'Usd',
      chainId: 5,
      customer: { id: 'c-1' },
      metaData: { shop: 'north', conversionRate: 'mine' },
      note: 'further',
    });
    const payload: unknown = JSON.parse(body);
    expect(body).to.include('"fiat":1234.50,');
    expect(payload).to.deep.include({ currency: 'Usd', chainId: 5, note: 'further' });
    expect(at(payload, 'customer', 'id')).to.equal('c-1');
    expect(at(payload, 'customer', 'email')).to.match(/@example\.com$/);
    expect(at(payload, 'metaData', 'shop')).to.equal('north');
    const bought = amountAt(payload, 'transferredAmount').times(amountAt(payload, 'metaData', 'conversionRate'));
    expect(bought.plus(amountAt(payload, 'metaData', 'commission')).toFixed()).to.equal('1234.5');
  });
});
