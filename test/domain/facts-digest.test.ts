import { expect } from 'chai';
import * as fc from 'fast-check';
import { factsDigest } from '../../src/domain/facts-digest.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { jsonValues, payloads, sameValue, spell, spellings } from '../support/arbitraries.ts';
import { offRamp, onRamp, orderPayload, without } from '../support/payloads.ts';

const digest = (payload: JsonObject | string): string => factsDigest(orderPayload(payload));

const withMeta = (metaData: JsonObject): string => digest(onRamp({ orderId: 'a', metaData }));

describe('factsDigest', () => {
  it('does not depend on how the same facts are written, nor on updated_at', () => {
    fc.assert(
      fc.property(
        payloads,
        spellings,
        fc.constantFrom(null, '2024-01-01T00:00:00Z', 5),
        (payload, choices, updatedAt) => {
          const want = digest(payload);
          expect(digest(spell(payload, choices))).to.equal(want);
          expect(digest({ ...payload, updated_at: updatedAt })).to.equal(want);
          expect(digest(without(payload, 'updated_at'))).to.equal(want);
          expect(digest({ ...payload, currency: orderPayload(payload).currency.toLowerCase() })).to.equal(want);
        },
      ),
    );
    expect(digest(JSON.stringify(onRamp({ orderId: 'a' })).replace('100', '1.00E2'))).to.equal(
      digest(onRamp({ orderId: 'a' })),
    );
  });

  it('takes an absent, a null and an empty utr for one, and no other', () => {
    const payload = offRamp({ orderId: 'a' });
    expect(digest({ ...payload, utr: null })).to.equal(digest(payload));
    expect(digest({ ...payload, utr: '' })).to.equal(digest(payload));
    expect(digest({ ...payload, utr: 'U' })).not.to.equal(digest(payload));
    expect(digest({ ...payload, utr: 'U' })).not.to.equal(digest({ ...payload, utr: 'u' }));
  });

  it('differs where any other field differs', () => {
    fc.assert(
      fc.property(
        payloads,
        fc.constantFrom('custom', 'txnHash', 'metaData', 'tds', '__proto__'),
        jsonValues,
        jsonValues,
        (payload, field, one, other) => {
          const having = (value: typeof one): JsonObject =>
            Object.fromEntries([...Object.entries(payload).filter(([key]) => key !== field), [field, value]]);
          expect(digest(having(one)) === digest(having(other))).to.equal(sameValue(one, other));
          expect(digest(without(payload, field))).not.to.equal(digest(having(one)));
        },
      ),
    );
  });

  it('differs where any field of the sample is taken away or changed', () => {
    for (const payload of [onRamp({ orderId: 'a' }), offRamp({ orderId: 'a' })]) {
      const changed: JsonObject = {
        fiat: 101,
        chainId: 2,
        tokensDeducted: 61.26,
        tds: 1.6,
        customer: { id: 'other' },
        currency: 'eur',
        createdAt: '2023-03-01T06:31:09.000Z',
        created_at: '2023-03-01T06:31:09.000Z',
      };
      for (const key of Object.keys(payload).filter((name) => name !== 'updated_at' && name !== 'eventType')) {
        expect(digest({ ...payload, [key]: changed[key] ?? 'other' }), key).not.to.equal(digest(payload));
      }
    }
  });

  it('sees an updated_at and a currency anywhere but at the top', () => {
    expect(withMeta({ updated_at: '1' })).not.to.equal(withMeta({ updated_at: '2' }));
    expect(withMeta({ currency: 'inr' })).not.to.equal(withMeta({ currency: 'INR' }));
    expect(withMeta({ utr: null })).not.to.equal(withMeta({}));
  });
});
