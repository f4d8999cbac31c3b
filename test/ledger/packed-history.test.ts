import { expect } from 'chai';
import { branded } from '../../src/domain/brand.ts';
import type { ConflictName, EventId, Position, Revision } from '../../src/domain/ids.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { KnownEvents, type KnownEvent } from '../../src/ledger/known-events.ts';
import type { OrderHistory } from '../../src/ledger/order-history.ts';
import { packed, unpacked } from '../../src/ledger/packed-history.ts';

const BODY = sha256('a body');

const event = (over: Partial<KnownEvent> = {}): KnownEvent => {
  const eventId = over.eventId ?? branded<EventId>('id');
  const place = { revision: branded<Revision>(0), position: branded<Position>('10') };
  return { eventId, name: eventId, ...place, bodySha256: BODY, isOrderEvent: true, ...over };
};

const conflict = event({
  eventId: branded<EventId>('salted'),
  name: branded<ConflictName>('name'),
  revision: branded<Revision>(1),
  isOrderEvent: false,
});

const historyOf = (...events: readonly KnownEvent[]): OrderHistory => ({
  flow: 'onramp',
  head: branded<Revision>(events.length - 1),
  events: KnownEvents.of(events),
});

describe('a packed history', () => {
  it('has a name where it is not the id, and for nearly all orders no byte for one', () => {
    expect(packed(historyOf(event()))).to.equal(`0 onramp id 0 10 ${BODY} 1`);
    const former = { ...conflict, name: conflict.eventId };
    expect(packed(historyOf(event(), former))).to.equal(`1 onramp id 0 10 ${BODY} 1 salted 1 10 ${BODY} `);
    expect(packed(historyOf(event(), conflict))).to.equal(`1 onramp id 0 10 ${BODY} 1 salted 1 10 ${BODY} :name`);
  });

  it('finds a conflict by the name that was packed, and not by its id', () => {
    const { events } = unpacked(packed(historyOf(event(), conflict)) ?? '');
    expect([...events]).to.deep.equal([event(), conflict]);
    expect(events.withName(conflict.name)).to.deep.equal(conflict);
    expect(events.withName(conflict.eventId)).to.equal(undefined);
  });

  it('is none where an id or a name holds what stands between parts', () => {
    for (const odd of [{ eventId: branded<EventId>('an id') }, { name: branded<ConflictName>('a name') }]) {
      expect(packed(historyOf(event(odd))), JSON.stringify(odd)).to.equal(null);
    }
  });
});
