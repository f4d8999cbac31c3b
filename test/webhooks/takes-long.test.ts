import { expect } from 'chai';
import { takesLong } from '../../src/webhooks/takes-long.ts';
import { bodyOf, onRamp } from '../support/payloads.ts';

const many = (count: number, part: string): Buffer =>
  Buffer.from(`[${Array.from({ length: count }, () => part).join(',')}]`);

describe('a body that has to be written again', () => {
  it('takes long by what it is made of, not by its length', () => {
    expect(takesLong(Buffer.alloc(0))).to.equal(false);
    expect(takesLong(bodyOf(onRamp()))).to.equal(false);
    expect(takesLong(Buffer.from(JSON.stringify('n'.repeat(262_000))))).to.equal(false);
    for (const part of ['{}', '[]', '0', '{"a":0}']) expect(takesLong(many(4_100, part)), part).to.equal(true);
    expect(takesLong(Buffer.from(`"${'\\ud800'.repeat(4_100)}"`)), 'escapes').to.equal(true);
    expect(takesLong(Buffer.from('['.repeat(9_000) + ']'.repeat(9_000)))).to.equal(true);
    expect(takesLong(Buffer.from(`{${Array.from({ length: 2_100 }, (_, n) => `"${n}":0`).join(',')}}`))).to.equal(true);
  });

  it('takes none with 16 KB of members whose names and values have three letters, and with a thousand of any', () => {
    const members = (count: number): Buffer =>
      Buffer.from(JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`m${n}`, 'abc']))));
    expect(members(1_250).length).to.be.greaterThan(16_384);
    expect(takesLong(members(1_250))).to.equal(false);
    expect(takesLong(many(1_000, '{"a":0}'))).to.equal(false);
  });
});
