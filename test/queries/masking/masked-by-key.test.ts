import { expect } from 'chai';
import fc from 'fast-check';
import { masked } from '../../../src/queries/masking/masking.ts';
import type { JsonValue } from '../../../src/domain/json.ts';
import { payloads } from '../../support/arbitraries.ts';
import { keptKeys, personalKeys, plainKeys } from './keys-of-members.ts';

const NEEDLE = 'Needle-4711';

/** A value somewhere in arrays and under keys that say nothing. */
const nested = (value: JsonValue): fc.Arbitrary<JsonValue> =>
  fc
    .array(fc.constantFrom('list', 'first', 'value', 'number', 'x y'))
    .map((path) =>
      path.reduce<JsonValue>(
        (inner, key) => (key === 'list' ? [null, inner, 1] : { [key]: inner, other: true }),
        value,
      ),
    );

describe('what is masked by its key', () => {
  it('lets nothing personal through, at any depth, under any key that names it', () => {
    fc.assert(
      fc.property(
        personalKeys.chain((key) => nested(NEEDLE).map((value) => ({ [key]: value }))).chain(nested),
        (value) => {
          expect(JSON.stringify(masked({ metaData: value }))).not.to.include(NEEDLE);
        },
      ),
    );
  });

  it('lets nothing of a customer through, under any key', () => {
    fc.assert(
      fc.property(
        fc.string().filter((key) => key !== 'id' && key !== 'created_at'),
        nested(NEEDLE),
        (key, value) => {
          expect(JSON.stringify(masked({ customer: { id: 'c', [key]: value } }))).not.to.include(NEEDLE);
        },
      ),
    );
  });

  it('lets no address through in any payload', () => {
    fc.assert(
      fc.property(payloads, fc.emailAddress(), fc.string(), (payload, address, key) => {
        const [local = ''] = address.split('@');
        fc.pre(local.length > 1 && !/utr|wallet|hash/i.test(key) && key !== 'orderId');
        const shown = JSON.stringify(masked({ ...payload, [key]: { [address]: [`to ${address}`] } }));
        expect(shown).not.to.include(JSON.stringify(`${local}@`).slice(1, -1));
      }),
    );
  });

  it('never masks a utr, a wallet or a hash', () => {
    fc.assert(
      fc.property(
        keptKeys,
        nested('x').map((value) => JSON.stringify(value)),
        personalKeys,
        (key, _, outer) => {
          const payload = { metaData: { [outer]: { [key]: NEEDLE }, [key]: [NEEDLE] } };
          expect(masked(payload)).to.deep.equal(payload);
        },
      ),
    );
  });

  it('leaves alone what has letters of such a word in another one', () => {
    fc.assert(
      fc.property(plainKeys, nested(NEEDLE), (key, value) => {
        expect(masked({ metaData: { [key]: value } })).to.deep.equal({ metaData: { [key]: value } });
      }),
    );
  });

  it('masks once: masking again changes nothing', () => {
    fc.assert(
      fc.property(payloads, (payload) => {
        const shown = masked(payload);
        expect(JSON.stringify(masked(shown))).to.equal(JSON.stringify(shown));
      }),
    );
  });
});
