import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import type { JsonObject, JsonValue } from '../../src/domain/json.ts';
import { ExactNumber, isJsonObject } from '../../src/domain/json.ts';
import { orderIdIn, readPayload } from '../../src/domain/payload.ts';
import { readContent } from '../../src/domain/read-content.ts';
import { jsonValues, payloads, spell, spellings } from '../support/arbitraries.ts';
import { bodyOf, offRamp, onRamp, without } from '../support/payloads.ts';

const reasonsOf = (value: JsonValue): readonly { readonly path: string; readonly message: string }[] => {
  const read = readPayload(value);
  return E.isLeft(read) ? read.left : [];
};
const pathsOf = (value: JsonValue): readonly string[] => reasonsOf(value).map(({ path }) => path);

const REQUIRED = {
  onramp: [
    ['fiat', 'a number of 0 or more with at most 78 digits before and 36 after the point'],
    ['receiverWalletAddress', 'a string'],
    ['buyTokenSymbol', 'a string'],
    ['buyTokenAddress', 'a string'],
    ['orderId', 'a well-formed string of 1 to 200 characters without U+0000'],
    ['status', 'a non-empty string without U+0000'],
    ['currency', 'a non-empty string without U+0000'],
    ['chainId', 'a number with at most 78 digits before and 36 after the point'],
    ['customer', 'an object'],
    ['createdAt', 'an ISO 8601 timestamp'],
  ],
  offramp: [
    ['fiat', 'a number of 0 or more with at most 78 digits before and 36 after the point'],
    ['senderWalletAddress', 'a string'],
    ['sellTokenSymbol', 'a string'],
    ['sellTokenAddress', 'a string'],
    ['orderId', 'a well-formed string of 1 to 200 characters without U+0000'],
    ['status', 'a non-empty string without U+0000'],
    ['currency', 'a non-empty string without U+0000'],
    ['chainId', 'a number with at most 78 digits before and 36 after the point'],
    ['customer', 'an object'],
    ['created_at', 'an ISO 8601 timestamp'],
  ],
} as const;

/** Fields of the tables that may be absent or of any type (docs/spec/domain.md, What must be readable). */
const CARRIED = {
  onramp: ['txnHash', 'transferredAmount', 'transferredAmountWei', 'metaData', 'updated_at'],
  offramp: ['updated_at', 'tenantId', 'transactionId', 'tokensDeducted', 'tds', 'metaData', 'source', 'createdAt'],
} as const;

const KINDS: readonly (readonly [string, JsonValue])[] = [
  ['null', null],
  ['a boolean', true],
  ['a number', 1],
  ['a number', new ExactNumber('1.0')],
  ['a string', 'x'],
  ['an array', [{ id: 'x' }]],
  ['an object', { id: 'x' }],
];

const ownKind = (value: JsonValue | undefined): string => (isJsonObject(value) ? 'an object' : `a ${typeof value}`);

for (const { flow, sample } of [
  { flow: 'onramp', sample: onRamp },
  { flow: 'offramp', sample: offRamp },
] as const) {
  describe(`readPayload, ${flow}`, () => {
    it('takes the sample, and hands it on untouched', () => {
      const payload = sample();
      expect(E.toUnion(readPayload(payload))).to.equal(payload);
    });

    for (const [field, expected] of REQUIRED[flow]) {
      it(`names ${field} where it is missing or of another type`, () => {
        expect(reasonsOf(without(sample(), field))).to.deep.equal([
          { path: field, message: `expected ${expected}, got nothing` },
        ]);
        for (const [kind, value] of KINDS) {
          if (kind === ownKind(sample()[field])) continue;
          expect(reasonsOf(sample({ [field]: value })), kind).to.deep.equal([
            { path: field, message: `expected ${expected}, got ${kind}` },
          ]);
        }
      });
    }

    it('carries the other fields, absent or of any type', () => {
      for (const field of CARRIED[flow]) {
        expect(pathsOf(without(sample(), field)), field).to.deep.equal([]);
        for (const [, value] of KINDS) expect(pathsOf(sample({ [field]: value })), field).to.deep.equal([]);
      }
    });

    it('needs nothing of the customer but a string as id', () => {
      expect(pathsOf(sample({ customer: { id: '' } }))).to.deep.equal([]);
      expect(reasonsOf(sample({ customer: {} }))).to.deep.equal([
        { path: 'customer.id', message: 'expected a string, got nothing' },
      ]);
      expect(reasonsOf(sample({ customer: { id: new ExactNumber('1e2'), email: 5 } }))).to.deep.equal([
        { path: 'customer.id', message: 'expected a string, got a number' },
      ]);
    });

    it('takes a utr that is a string, null or absent, and nothing else', () => {
      for (const utr of [null, '', 'UTR1']) expect(pathsOf(sample({ utr }))).to.deep.equal([]);
      for (const [kind, utr] of KINDS.filter(([name]) => name !== 'null' && name !== 'a string')) {
        expect(reasonsOf(sample({ utr }))).to.deep.equal([
          { path: 'utr', message: `expected a string, null or nothing, got ${kind}` },
        ]);
      }
    });

    it('names all that is wrong at once', () => {
      const broken: JsonObject = {
        ...without(sample(), 'status'),
        fiat: '100',
        customer: { id: 7 },
        utr: 5,
        orderId: '',
      };
      expect(pathsOf(broken)).to.have.members(['status', 'fiat', 'customer.id', 'utr', 'orderId']);
      expect(pathsOf({ eventType: flow })).to.have.members(REQUIRED[flow].map(([field]) => field));
    });
  });
}

describe('readPayload', () => {
  it('needs an eventType in exactly the two spellings, and names what else is wrong beside it', () => {
    for (const eventType of ['onRamp', 'OFFRAMP', 'onramp ', '', null, 1, ['onramp']]) {
      expect(pathsOf(onRamp({ eventType }))).to.deep.equal(['eventType']);
    }
    expect(reasonsOf(without(onRamp({ fiat: -1 }), 'eventType'))).to.deep.equal([
      { path: 'eventType', message: 'expected "onramp" or "offramp", got nothing' },
      {
        path: 'fiat',
        message: 'expected a number of 0 or more with at most 78 digits before and 36 after the point',
      },
    ]);
    expect(pathsOf(offRamp({ eventType: 'onramp' }))).to.deep.equal([
      'receiverWalletAddress',
      'buyTokenSymbol',
      'buyTokenAddress',
      'createdAt',
    ]);
  });

  it('says what it misses in a payload that is wrapped, with its keys in lower case', () => {
    const lower = Object.fromEntries(Object.entries(onRamp()).map(([key, value]) => [key.toLowerCase(), value]));
    const paths = ['eventType', 'orderId', 'status', 'fiat', 'currency', 'chainId', 'customer'];
    expect(pathsOf({ request_data: lower })).to.deep.equal(paths);
    expect(reasonsOf({ request_data: lower }).every(({ message }) => message.endsWith(', got nothing'))).to.equal(true);
    expect(orderIdIn({ request_data: lower })).to.equal(null);
  });

  it('refuses what is no object', () => {
    for (const [kind, value] of KINDS.filter(([name]) => name !== 'an object')) {
      expect(reasonsOf(value)).to.deep.equal([{ path: '', message: `expected an object, got ${kind}` }]);
    }
  });

  it('holds to the limits of each field', () => {
    const refused: readonly (readonly [string, readonly JsonValue[]])[] = [
      ['fiat', [-1, -1e-7, new ExactNumber('-0.10'), new ExactNumber('1e78'), new ExactNumber('1e-37'), 1e80, 5e-324]],
      ['chainId', [1e100, new ExactNumber(`1${'0'.repeat(78)}`)]],
      ['orderId', ['', 'x'.repeat(201), 'a\0', '\ud800', 'a\udc00b']],
      ['status', ['', 'a\0b']],
      ['currency', ['', '\0']],
      ['createdAt', ['', '2023-02-30T00:00:00Z', '2023-03-01', 'yesterday']],
    ];
    for (const [field, values] of refused) {
      for (const value of values) expect(pathsOf(onRamp({ [field]: value })), field).to.deep.equal([field]);
    }
    const taken: Readonly<Record<string, readonly JsonValue[]>> = {
      fiat: [0, new ExactNumber('-0'), new ExactNumber('-0.0'), new ExactNumber('9'.repeat(78)), 1e-7, 1e21, 1e77],
      chainId: [0, -1, 1.5, new ExactNumber('1e-36')],
      orderId: ['x', 'x'.repeat(200), '.', '..', ' ', '/?#%', '😀', '\u0001'],
      status: ['x', '\ud800', ' '],
      currency: ['x', '\ud800'],
      createdAt: ['0001-01-01T00:00:00Z', '2024-02-29T00:00:00+05:30'],
    };
    for (const [field, values] of Object.entries(taken)) {
      for (const value of values) {
        expect(pathsOf(onRamp({ [field]: value })), field).to.deep.equal([]);
      }
    }
  });

  it('never says a value, and one thing of each path', () => {
    const secret = 'a.very.personal@example.com';
    const hostile = fc.dictionary(
      fc.constantFrom('eventType', 'orderId', 'status', 'fiat', 'currency', 'chainId', 'customer', 'utr', 'createdAt'),
      fc.oneof(jsonValues, fc.constantFrom<JsonValue>([secret], { id: [secret] }, { id: { email: secret } })),
    );
    fc.assert(
      fc.property(hostile, fc.boolean(), (over, known) => {
        const reasons = reasonsOf(onRamp({ ...over, ...(known ? { eventType: 'onramp' } : {}) }));
        expect(JSON.stringify(reasons)).not.to.contain(secret);
        expect(new Set(reasons.map(({ path }) => path)).size).to.equal(reasons.length);
        for (const { path, message } of reasons) {
          expect(path).to.match(/^[A-Za-z]+(\.id)?$/);
          expect(message).to.match(/^expected [a-z"].*$/);
        }
      }),
    );
  });
});

describe('orderIdIn', () => {
  it('reads the order id that an unreadable body names', () => {
    expect(orderIdIn({ orderId: 'ord-1', fiat: 'x' })).to.equal('ord-1');
    for (const value of [null, [], 'ord-1', {}, { orderId: 5 }, { orderId: '' }, { orderId: 'x'.repeat(201) }]) {
      expect(orderIdIn(value)).to.equal(null);
    }
  });
});

describe('readContent', () => {
  it('keeps every member of a payload with the digits and texts that came', () => {
    fc.assert(
      fc.property(payloads, spellings, (payload, choices) => {
        const content = readContent(bodyOf(spell(payload, choices)));
        expect(content).to.have.property('_tag', 'OrderEvent');
        const read: JsonObject = content._tag === 'OrderEvent' ? content.payload : {};
        expect(Object.keys(read)).to.have.members(Object.keys(payload));
        for (const [key, value] of Object.entries(payload)) expect(read[key], key).to.deep.equal(value);
      }),
    );
  });

  it('keeps a member called __proto__ beside an absent utr', () => {
    const body = JSON.stringify(onRamp()).replace('{', '{"__proto__":{"x":1},');
    const content = readContent(bodyOf(body));
    const payload = content._tag === 'OrderEvent' ? content.payload : null;
    expect(JSON.stringify(payload)).to.equal(body);
    expect(payload === null ? [] : Object.keys(payload)).not.to.contain('utr');
  });

  it('has an answer to any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const content = readContent(Buffer.from(bytes));
        expect(content._tag === 'Unreadable' ? content.reasons.length : 0).to.be.greaterThan(0);
      }),
    );
  });

  it('names the order of a body that is no order event, where it can', () => {
    expect(readContent(bodyOf({ orderId: 'ord-1' }))).to.deep.include({ _tag: 'Unreadable', orderId: 'ord-1' });
    expect(readContent(bodyOf('no JSON'))).to.deep.include({ _tag: 'Unreadable', orderId: null });
  });
});
