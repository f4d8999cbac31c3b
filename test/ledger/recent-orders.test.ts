import { expect } from 'chai';
import fc from 'fast-check';
import { branded } from '../../src/domain/brand.ts';
import type { ConflictName, EventId, OrderId, Position, Revision, Sha256 } from '../../src/domain/ids.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { KnownEvents, type KnownEvent } from '../../src/ledger/known-events.ts';
import type { OrderHistory } from '../../src/ledger/order-history.ts';
import { RecentOrders } from '../../src/ledger/recent-orders.ts';

const events = fc.array(
  fc.record({
    // Whatever stands in a log that others write to.
    eventId: fc.oneof(fc.uuid(), fc.string()).map((id) => branded<EventId>(id)),
    // Null: its id.
    otherName: fc.option(fc.oneof(fc.uuid(), fc.string()).map((name) => branded<ConflictName>(name))),
    position: fc.bigInt({ min: 0n, max: 2n ** 63n }).map((position) => branded<Position>(String(position))),
    bodySha256: fc.option(fc.string().map((body): Sha256 => sha256(body))),
    isOrderEvent: fc.boolean(),
  }),
  // Also so many that they are kept as they are, and not as a text.
  { minLength: 1, maxLength: 40, size: 'max' },
);

const histories = fc.record({ flow: fc.constantFrom('onramp', 'offramp'), events }).map(({ flow, events: all }) => {
  const known = all.map(({ otherName, ...event }, i): KnownEvent => ({
    ...event,
    name: otherName ?? event.eventId,
    revision: branded<Revision>(i),
  }));
  return { flow, head: branded<Revision>(known.length - 1), events: KnownEvents.of(known) } satisfies OrderHistory;
});

/** What can be compared. */
const told = (history: OrderHistory | null | undefined) => ({ ...history, events: [...(history?.events ?? [])] });

const ORDER = branded<OrderId>('one');

describe('recent orders', () => {
  it('are remembered as they were told, the newest of what was told', () => {
    const remembers = (all: readonly OrderHistory[]): void => {
      const recent = new RecentOrders(10);
      for (const [i, history] of all.entries()) {
        recent.put(ORDER, history);
        const newest = Math.max(...all.slice(0, i + 1).map(({ head }) => head));
        const last = all.slice(0, i + 1).findLast(({ head }) => head === newest);
        expect(told(recent.get(ORDER))).to.deep.equal(told(last));
      }
    };
    fc.assert(fc.property(fc.array(histories, { minLength: 1, maxLength: 4 }), remembers));
  });

  it('are what was told last, also where that is short and what was told before was too long for a text', () => {
    const recent = new RecentOrders(10);
    const historyOf = (id: string): OrderHistory => {
      const [revision, position] = [branded<Revision>(0), branded<Position>('1')];
      const eventId = branded<EventId>(id);
      const event = { eventId, name: eventId, revision, position, bodySha256: null, isOrderEvent: true };
      return { flow: 'onramp', head: revision, events: KnownEvents.of([event]) };
    };
    for (const id of ['x'.repeat(10_000), 'short']) {
      recent.put(ORDER, historyOf(id));
      expect(told(recent.get(ORDER))).to.deep.equal(told(historyOf(id)));
    }
  });

  it('are forgotten where more others came than are kept, however short or unusual they are', () => {
    const others = ['two', 'three', 'four', 'five', 'six'].map((id) => branded<OrderId>(id));
    const forgets = (history: OrderHistory): void => {
      const recent = new RecentOrders(4);
      for (const id of [ORDER, ...others]) recent.put(id, history);
      expect(recent.get(ORDER)).to.equal(null);
      expect(told(recent.get(branded<OrderId>('six')))).to.deep.equal(told(history));
    };
    fc.assert(fc.property(histories, forgets));
  });

  it('are forgotten all at once, of whatever ids they are', () => {
    // So many that those of usual ids are kept as texts.
    const recent = new RecentOrders(1_000);
    const ids = ['one', 'zwölf'].map((id) => branded<OrderId>(id));
    const forgets = (history: OrderHistory): void => {
      for (const id of ids) recent.put(id, history);
      expect(ids.map((id) => recent.get(id) === null)).to.deep.equal([false, false]);
      recent.forget();
      expect(ids.map((id) => recent.get(id))).to.deep.equal([null, null]);
    };
    fc.assert(fc.property(histories, forgets));
  });
});
