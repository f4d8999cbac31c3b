import { expect } from 'chai';
import { foldOrder, type Anomaly } from '../../../projections/order-state/index.ts';
import type { LedgerEvent } from '../../../src/domain/ledger-event.ts';
import { eventOfBody, offRampEvent, onRampEvent, type Members } from '../../support/ledger-events.ts';

const changes = (events: readonly LedgerEvent[]): readonly Anomaly[] =>
  foldOrder(events)?.anomalies.filter(({ code }) => code === 'fact-changed') ?? [];

const fields = (events: readonly LedgerEvent[]): readonly (readonly [string, readonly string[]])[] =>
  changes(events).map(({ field, values }) => [field, values]);

const customer = (over: Members): Members => ({
  customer: { id: 'c2', name: 'N', email: 'n@example.com', phone: { countrycode: '+91', number: '9' }, ...over },
});

const CHANGED: readonly (readonly [field: string, Members, Members, readonly string[]])[] = [
  ['fiat', { fiat: 99 }, { fiat: 100 }, ['100', '99']],
  ['currency', { currency: 'inr' }, { currency: 'usd' }, ['INR', 'USD']],
  ['token.symbol', { sellTokenSymbol: 'usdt' }, { sellTokenSymbol: 'USDT' }, ['USDT', 'usdt']],
  ['token.address', { sellTokenAddress: '0xA' }, { sellTokenAddress: '0xB' }, ['0xA', '0xB']],
  ['token.chainId', { chainId: 1 }, { chainId: 137 }, ['1', '137']],
  ['walletAddress', { senderWalletAddress: '0xA' }, { senderWalletAddress: '0xB' }, ['0xA', '0xB']],
  [
    'createdAt',
    { created_at: '2023-03-01T07:00:00Z' },
    { created_at: '2023-03-01T07:00:00.0001Z' },
    ['2023-03-01T07:00:00.0001Z', '2023-03-01T07:00:00.000Z'],
  ],
  ['customer.id', customer({ id: 'a' }), customer({ id: 'A' }), ['A', 'a']],
  ['customer.email', customer({ email: 'a@x' }), customer({ email: 'A@x' }), ['A@x', 'a@x']],
  ['customer.name', customer({ name: 'A' }), customer({ name: 'B' }), ['A', 'B']],
  ['customer.phone.number', customer({ phone: { number: '1' } }), customer({ phone: { number: '2' } }), ['1', '2']],
  [
    'customer.phone.number',
    customer({ phone: { countrycode: '+91', number: '1' } }),
    customer({ phone: { countrycode: '+91', number: '2' } }),
    ['1', '2'],
  ],
  ['customer.phone.ext', customer({ phone: { ext: [1] } }), customer({ phone: { ext: { a: 1 } } }), ['[1]', '{"a":1}']],
];

const SAME: readonly (readonly [what: string, Members, Members])[] = [
  ['letter case of the currency', { currency: 'inr' }, { currency: 'INR' }],
  [
    'letter case of addresses',
    { sellTokenAddress: '0xa', senderWalletAddress: '0xb' },
    { sellTokenAddress: '0xA', senderWalletAddress: '0xB' },
  ],
  [
    'an offset of the creation time',
    { created_at: '2023-03-01T12:00:00+05:30' },
    { created_at: '2023-03-01T06:30:00Z' },
  ],
  ['empty texts', { sellTokenSymbol: '', sellTokenAddress: '', senderWalletAddress: '' }, {}],
  ['absent customer members', { customer: { id: 'c2' } }, customer({})],
  ['empty customer members', { customer: { id: '', name: '', email: '', phone: {} } }, customer({})],
  ['null customer members', customer({ name: null, email: null, phone: null }), customer({})],
  ['a phone that is not there', customer({ phone: null }), customer({})],
  [
    'empty phone members',
    customer({ phone: { number: '', countrycode: null, a: {}, b: [] } }),
    customer({ phone: { number: '9', a: 1, b: 1 } }),
  ],
  [
    'order of an object in the phone',
    customer({ phone: { x: { a: 1, b: 2 } } }),
    customer({ phone: { x: { b: 2, a: 1 } } }),
  ],
  [
    'when the customer was created',
    { customer: { id: 'c2', created_at: '2020-01-01T00:00:00Z' } },
    { customer: { id: 'c2' } },
  ],
  [
    'what may change',
    {
      tds: 1,
      tokensDeducted: 1,
      transactionId: 'a',
      tenantId: 'a',
      updated_at: '2024-01-01T00:00:00Z',
      metaData: { a: 1 },
    },
    {
      tds: 2,
      tokensDeducted: 2,
      transactionId: 'b',
      tenantId: 'b',
      updated_at: '2024-01-02T00:00:00Z',
      metaData: { a: 2 },
    },
  ],
];

/** With numbers in exactly these spellings. */
const spelled = (status: string, fiat: string, chainId: string): LedgerEvent => {
  const text = JSON.stringify({ ...onRampEvent(status).payload, fiat: 0, chainId: 0 });
  return eventOfBody(
    Buffer.from(text.replace('"fiat":0', `"fiat":${fiat}`).replace('"chainId":0', `"chainId":${chainId}`)),
  );
};

const wallet = (status: string, senderWalletAddress: string): LedgerEvent =>
  offRampEvent(status, { senderWalletAddress });

describe('changed facts', () => {
  for (const [field, one, other, values] of CHANGED) {
    it(`name ${field}, its values ${values.join(' and ')}, and its events`, () => {
      const events = [offRampEvent('pending', one), offRampEvent('PayoutSuccess', other)];
      expect(changes(events)).to.deep.equal([
        {
          code: 'fact-changed',
          field,
          values,
          eventIds: events.map(({ recorded }) => recorded.id).toSorted(),
        },
      ]);
    });
  }

  for (const [what, one, other] of SAME) {
    it(`leave out ${what}`, () => {
      expect(changes([offRampEvent('pending', one), offRampEvent('PayoutSuccess', other)])).to.deep.equal([]);
      expect(changes([offRampEvent('pending', other), offRampEvent('PayoutSuccess', one)])).to.deep.equal([]);
    });
  }

  it('leave out the spelling of numbers', () => {
    const events = [
      spelled('fiatPending', '100.00', '1e3'),
      spelled('completed', '100', '1000'),
      spelled('refunded', '1e2', '1000.0'),
    ];
    expect(changes(events)).to.deep.equal([]);
    expect(fields([...events, spelled('expired', '100.000000000000000001', '1000')])).to.deep.equal([
      ['fiat', ['100', '100.000000000000000001']],
    ]);
  });

  it('spell a value as the highest event that has it', () => {
    const events = [wallet('pending', '0xaa'), wallet('completed', '0xAa'), wallet('fiatDeemed', '0xB')];
    expect(fields(events)).to.deep.equal([['walletAddress', ['0xAa', '0xB']]]);
    expect(fields(events.toReversed())).to.deep.equal([['walletAddress', ['0xAa', '0xB']]]);
  });

  it('name a later change behind events that are spelled alike', () => {
    const [a, b, c] = [onRampEvent('fiatPending'), onRampEvent('completed'), onRampEvent('refunded', { fiat: 99 })];
    for (const events of [
      [a, b, c],
      [a, c, b],
      [c, a, b],
    ])
      expect(fields(events)).to.deep.equal([['fiat', ['100', '99']]]);
  });

  it('name only the events that have a value', () => {
    const [a, without, b] = [
      offRampEvent('pending', customer({ name: 'A' })),
      offRampEvent('orderReceived', customer({ name: '' })),
      offRampEvent('fiatDeemed', customer({ name: 'B' })),
    ];
    expect(changes([a, without, b])[0]?.eventIds).to.deep.equal([a.recorded.id, b.recorded.id].toSorted());
  });

  it('count unlisted statuses, and leave out conflicting deliveries', () => {
    const order = onRampEvent('fiatPending');
    expect(fields([order, onRampEvent('onHold', { fiat: 1 })])).to.deep.equal([['fiat', ['1', '100']]]);
    expect(fields([order, onRampEvent('fiatPending', { fiat: 1 }, { kind: 'conflict' })])).to.deep.equal([]);
  });

  it('take an unreadable phone number for none', () => {
    const events = [
      offRampEvent('pending', customer({ phone: { number: 5 } })),
      offRampEvent('fiatDeemed', customer({})),
    ];
    expect(foldOrder(events)?.anomalies.map(({ code, field }) => [code, field])).to.deep.equal([
      ['field-unreadable', 'customer.phone.number'],
    ]);
  });

  it('come one for each field, by field', () => {
    const events = [onRampEvent('fiatPending', { fiat: 1, currency: 'USD', chainId: 1 }), onRampEvent('completed')];
    expect(changes(events).map(({ field }) => field)).to.deep.equal(['currency', 'fiat', 'token.chainId']);
  });
});
