import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { branded } from '../../src/domain/brand.ts';
import type { OrderDelivery } from '../../src/domain/delivery.ts';
import { orderStream, type OrderId, type Revision } from '../../src/domain/ids.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { readContent } from '../../src/domain/read-content.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { openServing } from '../../src/event-store/sqlite/sqlite-event-store.ts';
import { RecentOrders } from '../../src/ledger/recent-orders.ts';
import { recordDelivery } from '../../src/ledger/record-delivery.ts';
import type { Recorded } from '../../src/ledger/recorded.ts';
import { openScene } from '../event-store/eventstoredb/store-scene.ts';
import { formerConflict } from '../support/former-conflict.ts';
import { bodyOf, newOrderId, offRamp, orderContent, verifiedDelivery } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { OrderStore } from '../../src/ledger/record-order-event.ts';

type Opened = { readonly store: EventStore; readonly close: () => Promise<void> };

const sqlite = async (): Promise<Opened> => {
  const folder = temporaryFolder();
  const store = right(await openServing({ dataDir: folder.path, file: `${folder.path}/events.db` }));
  return {
    store,
    close: async () => {
      await store.close();
      folder.remove();
    },
  };
};

const eventStoreDb = async (): Promise<Opened> => {
  const scene = await openScene();
  return { store: (await scene.serving()).store, close: () => scene.close() };
};

/** More events than a history is packed for, or looked through for one. */
const MANY = 40;

const deliveryOf = (payload: JsonObject): OrderDelivery => ({
  verified: verifiedDelivery(bodyOf(payload)),
  content: orderContent(payload),
});

for (const [name, open] of [
  ['SQLite', sqlite],
  ['EventStoreDB', eventStoreDb],
] as const) {
  describe(`other facts that are known, over ${name}`, () => {
    let opened: Opened;
    before(async () => {
      opened = await open();
    });
    after(() => opened.close());

    /** A ledger that has just started, and remembers so many orders. */
    const ledger = (kept = 1000): ((payload: JsonObject) => Promise<Recorded>) => {
      const record = recordDelivery({ store: opened.store, recent: new RecentOrders(kept), quarantined: new Set() });
      return async (payload) => {
        const body = bodyOf(payload);
        return right(await record({ verified: verifiedDelivery(body), content: readContent(body) })());
      };
    };
    const events = async (orderId: string) =>
      right(await opened.store.readStream(orderStream(branded<OrderId>(orderId)))());

    /** The same other facts as a provider says them again: another body, and so another signature. */
    const saidAgain = (payload: JsonObject): readonly JsonObject[] => [
      payload,
      { ...payload, updated_at: '2024-01-01T00:00:00Z' },
      { ...payload, updated_at: '2024-01-02T00:00:00Z', currency: 'inr' },
    ];

    for (const [what, others] of [
      ['few', 0],
      ['many', MANY],
    ] as const) {
      it(`are answered with the event that is there, whoever signed them anew, in an order of ${what} events`, async () => {
        const orderId = newOrderId();
        const first = offRamp({ orderId, status: 'fiatDeemed', utr: 'U1' });
        const deliver = ledger();
        await deliver(first);
        const conflict = await deliver({ ...first, fiat: 1 });
        expect([conflict.outcome, conflict.event.revision]).to.deep.equal(['conflict', 1]);
        for (let i = 0; i < others; i += 1) await deliver({ ...first, utr: `other ${i}` });
        const remembering = ledger();
        // It has read the stream once, for another delivery.
        await remembering({ ...first, fiat: 1 });
        for (const asked of [deliver, remembering, ledger(), ledger(0)])
          for (const again of saidAgain({ ...first, fiat: 1 })) expect(await asked(again)).to.deep.equal(conflict);
        expect(await events(orderId)).to.have.length(2 + others);
      });
    }

    it('are kept once where two ledgers are told of them at the same time by deliveries that differ', async () => {
      const orderId = newOrderId();
      const first = offRamp({ orderId, status: 'fiatDeemed', utr: 'U1' });
      await ledger()(first);
      const ledgers = [ledger(), ledger(), ledger(0)];
      for (let fiat = 1; fiat <= 10; fiat += 1) {
        const answers = await Promise.all(
          saidAgain({ ...first, fiat }).map(async (payload, i) => ledgers[i]?.(payload)),
        );
        for (const answer of answers) expect(answer).to.deep.equal(answers[0]);
        expect([answers[0]?.outcome, answers[0]?.event.revision]).to.deep.equal(['conflict', fiat]);
      }
      expect(await events(orderId)).to.have.length(11);
    });

    it('are answered with what was appended where nobody was told so, to the same delivery and to another', async () => {
      const orderId = newOrderId();
      const first = offRamp({ orderId, status: 'fiatDeemed', utr: 'U1' });
      await ledger()(first);
      const { store } = opened;
      let silent = true;
      const forgetful: OrderStore = {
        readAt: store.readAt,
        readStream: store.readStream,
        streamPages: store.streamPages,
        append: (stream, expected, all) => async () => {
          const answer = await store.append(stream, expected, all)();
          return silent && E.isRight(answer) ? E.left({ _tag: 'StoreUnavailable', detail: 'no answer' }) : answer;
        },
      };
      const record = recordDelivery({ store: forgetful, recent: new RecentOrders(10), quarantined: new Set() });
      const lost = await record(deliveryOf({ ...first, fiat: 1 }))();
      expect(lost).to.have.nested.property('left._tag', 'StoreUnavailable');
      expect(await events(orderId)).to.have.length(2);
      silent = false;
      for (const again of saidAgain({ ...first, fiat: 1 })) {
        // Those who remember nothing of it, and the one that it was lost to.
        for (const answer of [right(await record(deliveryOf(again))()), await ledger()(again)])
          expect([answer.outcome, answer.event.revision]).to.deep.equal(['conflict', 1]);
      }
      expect(await events(orderId)).to.have.length(2);
    });

    it('are answered with the event of a ledger of before, whose id was their name', async () => {
      const orderId = newOrderId();
      const first = offRamp({ orderId, status: 'fiatDeemed', utr: 'U1' });
      await ledger()(first);
      const { stream, event } = formerConflict(deliveryOf({ ...first, fiat: 1 }));
      right(await opened.store.append(stream, branded<Revision>(0), [event])());
      for (const deliver of [ledger(), ledger(0)]) {
        for (const again of saidAgain({ ...first, fiat: 1 })) {
          const { outcome, event: known } = await deliver(again);
          expect([outcome, known.eventId, known.revision]).to.deep.equal(['conflict', event.id, 1]);
        }
      }
      const other = await ledger()({ ...first, fiat: 2 });
      expect([other.outcome, other.event.revision]).to.deep.equal(['conflict', 2]);
      expect(await events(orderId)).to.have.length(3);
    });
  });
}
