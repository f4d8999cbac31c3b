import { expect } from 'chai';
import { conflictEventId } from '../../src/domain/event-id.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { factsDigest } from '../../src/domain/facts-digest.ts';
import { readContent } from '../../src/domain/read-content.ts';
import { isReleasedAs } from '../../src/ledger/release-fit.ts';
import { inMemoryEventStore } from '../support/in-memory-event-store.ts';
import { bodyOf, newOrderId, offRamp } from '../support/payloads.ts';
import { deliverUnaware, orderEvents } from '../support/quarantine-scene.ts';

describe('what a release names that another delivery brought', () => {
  it('is the event of that very id with the facts of the body, and no other', async () => {
    const store = inMemoryEventStore(() => instantOf(0));
    const orderId = newOrderId();
    const body = bodyOf(offRamp({ orderId }));
    await deliverUnaware(store, body);
    const [event] = await orderEvents(store, orderId);
    const [content, otherwise] = [readContent(body), readContent(bodyOf(offRamp({ orderId, fiat: 1 })))];
    if (event === undefined || content._tag === 'Unreadable' || otherwise._tag === 'Unreadable')
      throw new Error('it is there, and can be read');
    const another = conflictEventId(content.payload.orderId, 'pending', null, factsDigest(content.payload), 'ab');
    expect(isReleasedAs({ _tag: 'OfAnother', eventId: event.id, content }, event)).to.equal(true);
    expect(isReleasedAs({ _tag: 'OfAnother', eventId: another, content }, event)).to.equal(false);
    expect(isReleasedAs({ _tag: 'OfAnother', eventId: event.id, content: otherwise }, event)).to.equal(false);
    expect(isReleasedAs({ _tag: 'Unfit' }, event)).to.equal(false);
  });
});
