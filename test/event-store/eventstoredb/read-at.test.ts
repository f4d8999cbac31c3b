import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { orderStream, type Position } from '../../../src/domain/ids.ts';
import { positionAt, positionNumber } from '../../../src/domain/position.ts';
import type { EventStore } from '../../../src/event-store/event-store.ts';
import { openEventStoreDb } from '../../../src/event-store/eventstoredb/eventstoredb-event-store.ts';
import type { Refusal } from '../../support/eventstoredb/faults.ts';
import { startEventStoreDb, type EventStoreDbDouble } from '../../support/eventstoredb/event-store-db-double.ts';
import { right } from '../../support/right.ts';
import { anEvent, anOrderId } from '../../support/stored-events.ts';

describe('reading EventStoreDB by position', () => {
  let double: EventStoreDbDouble;
  let store: EventStore;
  let position: Position;
  before(async () => {
    double = await startEventStoreDb();
    store = right(openEventStoreDb({ url: double.url, streamPrefix: '', dataDir: '/nowhere' }));
    position = right(await store.append(orderStream(anOrderId()), 'none', [anEvent()])()).position;
  });
  after(async () => {
    await store.close();
    await double.close();
  });
  afterEach(() => double.faults.serve());

  const beside = (by: number): Position => positionAt(positionNumber(position) + by);

  it('finds the event at a position, and none where there is none', async () => {
    expect(right(await store.readAt([position])())).to.have.length(1);
    for (const none of [beside(1), beside(1_000_000)]) {
      expect(right(await store.readAt([none])())).to.deep.equal([]);
      expect(await store.parsePosition(none)()).to.deep.equal(E.left({ _tag: 'UnknownPosition' }));
    }
  });

  for (const _tag of ['Unknown', 'NotReady', 'Busy', 'AccessDenied', 'Unavailable'] satisfies Refusal['_tag'][]) {
    it(`takes no failure of the server for an event that is not there: ${_tag}`, async () => {
      double.faults.refuseAll({ _tag });
      const read = await store.readAt([position, beside(1)])();
      expect(E.isLeft(read) ? read.left._tag : read.right).to.equal('StoreUnavailable');
      const parsed = await store.parsePosition(position)();
      expect(E.isLeft(parsed) ? parsed.left._tag : parsed.right).to.equal('StoreUnavailable');
    });
  }
});
