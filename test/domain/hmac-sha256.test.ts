import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { hmacSha256 } from '../../src/domain/hmac-sha256.ts';

const byNode = (key: Buffer, body: Buffer): string => createHmac('sha256', key).update(body).digest('hex');
const bytes = (most: number) => fc.uint8Array({ maxLength: most }).map((array) => Buffer.from(array));

describe('HMAC-SHA256', () => {
  it('is what Node computes, whatever key and message, in any order of keys', () => {
    fc.assert(
      fc.property(fc.array(bytes(150), { minLength: 1, maxLength: 3 }), fc.array(bytes(300)), (keys, bodies) => {
        for (const body of bodies) {
          for (const key of keys) expect(hmacSha256(key, body)).to.equal(byNode(key, body));
        }
      }),
    );
  });

  it('is so at the borders of a block, and of what is copied', () => {
    for (const length of [0, 1, 63, 64, 65, 16_383, 16_384, 16_385, 300_000]) {
      const body = Buffer.alloc(length, 'é');
      for (const keyLength of [1, 63, 64, 65, 200]) {
        const key = Buffer.alloc(keyLength, 'k');
        expect(hmacSha256(key, body), `${keyLength}, ${length}`).to.equal(byNode(key, body));
      }
    }
  });
});
