import { expect } from 'chai';
import { either as E } from 'fp-ts';
import { branded } from '../../src/domain/brand.ts';
import { factsDigest } from '../../src/domain/facts-digest.ts';
import type { Position, Revision } from '../../src/domain/ids.ts';
import { readLedgerEvent } from '../../src/domain/ledger-event.ts';
import { conflictEvent, orderEvent, type EventForStream } from '../../src/domain/new-event.ts';
import type { RecordedEvent } from '../../src/domain/recorded-event.ts';
import { bodyOf, onRamp, orderContent, verifiedDelivery } from '../support/payloads.ts';

const BODY = JSON.stringify(onRamp({ orderId: 'o', fiat: 100 })).replace('100', '100.00');
const content = orderContent(BODY);
const verified = verifiedDelivery(bodyOf(BODY));

const recorded = ({ stream, event }: EventForStream, over: Partial<RecordedEvent> = {}): RecordedEvent => ({
  ...event,
  stream,
  revision: branded<Revision>(0),
  position: branded<Position>('0'),
  recordedAt: verified.receivedAt,
  ...over,
});

describe('readLedgerEvent', () => {
  it('reads an event from its signed bytes, not from the data beside them', () => {
    const stored = recorded(orderEvent(verified, content), { data: Buffer.from('null') });
    const event = E.toUnion(readLedgerEvent(stored));
    expect(event).to.deep.include({ kind: 'order', payload: content.payload });
    expect(event).to.have.nested.property('facts.fiat', '100.00');
    expect(event).to.have.nested.property('metadata.secretId', 'primary');
  });

  it('tells a conflicting delivery', () => {
    const stored = recorded(conflictEvent(verified, content, factsDigest(content.payload)));
    expect(E.toUnion(readLedgerEvent(stored))).to.have.property('kind', 'conflict');
  });

  it('says what it can not read', () => {
    const whole = orderEvent(verified, content);
    expect(E.toUnion(readLedgerEvent(recorded(whole, { metadata: Buffer.from('{}') })))).to.deep.include({
      _tag: 'UnreadableEvent',
      problem: 'its metadata is not what the ledger writes',
    });
    expect(E.toUnion(readLedgerEvent(recorded(whole, { rawBody: Buffer.from('{}') })))).to.deep.include({
      _tag: 'UnreadableEvent',
      problem: 'its signed bytes are no order event',
    });
  });
});
