import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { factsDigest } from '../../src/domain/facts-digest.ts';
import { readLedgerEvent } from '../../src/domain/ledger-event.ts';
import { conflictEvent, orderEvent } from '../../src/domain/new-event.ts';
import { bodyOf, onRamp, orderContent, verifiedDelivery } from '../support/payloads.ts';
import { recordedEvent } from '../support/recorded-event.ts';

const BODY = JSON.stringify(onRamp({ orderId: 'o', fiat: 100 })).replace('100', '100.00');
const content = orderContent(BODY);
const verified = verifiedDelivery(bodyOf(BODY));

describe('readLedgerEvent', () => {
  it('reads an event from its signed bytes, not from the data beside them', () => {
    const stored = recordedEvent(orderEvent(verified, content), { data: 'null' });
    const event = E.toUnion(readLedgerEvent(stored));
    expect(event).to.deep.include({ kind: 'order', payload: content.payload });
    expect(event).to.have.nested.property('facts.fiat', '100.00');
    expect(event).to.have.property('receivedAt', verified.receivedAt);
  });

  it('tells a conflicting delivery', () => {
    const stored = recordedEvent(conflictEvent(verified, content, factsDigest(content.payload)));
    expect(E.toUnion(readLedgerEvent(stored))).to.have.property('kind', 'conflict');
  });

  it('says what it can not read', () => {
    const whole = orderEvent(verified, content);
    expect(E.toUnion(readLedgerEvent(recordedEvent(whole, { metadata: '{}' })))).to.deep.include({
      _tag: 'UnreadableEvent',
      problem: 'its metadata is not what the ledger writes',
    });
    expect(E.toUnion(readLedgerEvent(recordedEvent(whole, { rawBody: Buffer.from('{}') })))).to.deep.include({
      _tag: 'UnreadableEvent',
      problem: 'its signed bytes are no order event',
    });
  });
});
