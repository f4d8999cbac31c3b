import { expect } from 'chai';
import * as t from 'io-ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { checkedBy, described } from '../../src/openapi/described.ts';
import { schemaOf, type Codec } from '../../src/openapi/schema-of.ts';

describe('the schema of a codec', () => {
  const cases: readonly (readonly [string, Codec, JsonObject])[] = [
    ['a text', t.string, { type: 'string' }],
    ['a text or null', t.union([t.string, t.null]), { type: ['string', 'null'] }],
    ['words', t.union([t.literal('a'), t.literal('b')]), { type: 'string', enum: ['a', 'b'] }],
    ['keys', t.keyof({ a: null, b: null }), { type: 'string', enum: ['a', 'b'] }],
    ['an array', t.readonlyArray(t.number), { type: 'array', items: { type: 'number' } }],
    ['a record', t.record(t.string, t.boolean), { type: 'object', additionalProperties: { type: 'boolean' } }],
    [
      'a description, which stays where null is allowed',
      t.union([described(t.string, 'When.', { format: 'date' }), t.null]),
      { type: ['string', 'null'], description: 'When.', format: 'date' },
    ],
    [
      'a closed object of required and other members',
      t.exact(t.intersection([t.type({ a: t.string }), t.partial({ b: t.number })])),
      {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'number' } },
        required: ['a'],
        additionalProperties: false,
      },
    ],
    [
      'what is given beside a check',
      checkedBy('x', t.string.is, { type: 'string', maxLength: 3 }),
      { type: 'string', maxLength: 3 },
    ],
  ];
  for (const [what, codec, schema] of cases) {
    it(`says ${what}`, () => expect(schemaOf(codec, new Map())).to.deep.equal(schema));
  }

  it('points at a codec with a name of its own, which is described once', () => {
    const components = new Map<string, JsonObject>();
    const Inner = t.strict({ a: t.string }, 'Inner');
    const schema = schemaOf(t.strict({ one: Inner, more: t.readonlyArray(Inner) }), components);
    expect(schema).to.have.nested.property('properties.one.$ref', '#/components/schemas/Inner');
    expect(schema).to.have.nested.property('properties.more.items.$ref', '#/components/schemas/Inner');
    expect([...components.keys()]).to.deep.equal(['Inner']);
  });

  it('is none for a codec that does not say what it takes, so that nothing is guessed', () => {
    const silent = new t.Type<string>('silent', t.string.is, t.string.validate, t.identity);
    expect(() => schemaOf(t.strict({ a: silent }), new Map())).to.throw('silent');
    expect(() => schemaOf(t.tuple([t.string]), new Map())).to.throw('says nothing');
  });
});
