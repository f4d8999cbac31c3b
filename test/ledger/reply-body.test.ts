import { expect } from 'chai';
import * as fc from 'fast-check';
import { branded } from '../../src/domain/brand.ts';
import type { OrderId } from '../../src/domain/ids.ts';
import { replyBody } from '../../src/ledger/reply-body.ts';

describe('reply-body', () => {
  it('is JSON for any order id', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (id) => {
        const reply = { outcome: 'spooled', orderId: branded<OrderId>(id) } as const;
        expect(JSON.parse(replyBody(reply))).to.deep.equal(reply);
      }),
    );
  });
});
