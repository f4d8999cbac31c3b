import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { branded } from '../../src/domain/brand.ts';
import { parseMetadata, type EventMetadata } from '../../src/domain/event-metadata.ts';
import { orderStream, quarantineStream, type OrderId, type Revision, type StreamName } from '../../src/domain/ids.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { releaseEvent } from '../../src/domain/new-event.ts';
import { readContent } from '../../src/domain/read-content.ts';
import { signedBytes, type RecordedEvent } from '../../src/domain/recorded-event.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { openServing } from '../../src/event-store/sqlite/sqlite-event-store.ts';
import { KnownQuarantine } from '../../src/ledger/quarantined-bodies.ts';
import { RecentOrders } from '../../src/ledger/recent-orders.ts';
import { recordDelivery } from '../../src/ledger/record-delivery.ts';
import { releaseQuarantined } from '../../src/ledger/release-quarantined.ts';
import { cutOffStore, type CutOff } from '../support/cut-off-store.ts';
import { inMemoryEventStore } from '../support/in-memory-event-store.ts';
import { bodyOf, newOrderId, offRamp, onRamp, orderPayload } from '../support/payloads.ts';
import {
  arrived,
  askForRelease,
  countProven,
  deliver,
  deliverUnaware,
  ENDS,
  expectReleased,
  newRequestId,
  orderEvents,
  OUTCOMES,
  putAway,
  release,
  RELEASED_AT,
  scene,
  type Appends,
} from '../support/quarantine-scene.ts';
import { right } from '../support/right.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

type Opened = { readonly store: EventStore; readonly close: () => Promise<void> };

const metadataOf = (event: RecordedEvent | undefined): EventMetadata | null =>
  event === undefined ? null : parseMetadata(event.metadata);

const inMemory = (): Promise<Opened> =>
  Promise.resolve({ store: inMemoryEventStore(() => instantOf(0)), close: () => Promise.resolve() });

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

for (const [name, open] of [
  ['in memory', inMemory],
  ['SQLite', sqlite],
] as const) {
  describe(`release-quarantined over a store ${name}`, () => {
    let opened: Opened;
    let store: EventStore;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });
    afterEach(() => opened.close());

    for (const [what, over] of [
      ['nothing', {}],
      ['the signature', { signature: 'ab'.repeat(32) }],
      ['the received time', { receivedAt: RELEASED_AT }],
      ['the request', { requestId: newRequestId() }],
    ] as const)
      it(`finishes a release only that was cut off, not another delivery of the body: they differ in ${what}`, async () => {
        const body = bodyOf(offRamp());
        const verified = await putAway(store, body.toString());
        const record = recordDelivery({ store, recent: new RecentOrders(0), quarantined: new Set() });
        right(await record({ verified: { ...verified, ...over }, content: readContent(body) })());
        expect((await release(store, body)).outcome).to.equal(what === 'nothing' ? 'recorded' : 'duplicate');
      });

    it('is none where a body is said to be in quarantine that is not there: the delivery is recorded', async () => {
      const body = bodyOf(offRamp());
      const quarantined = new Set([sha256(body)]);
      const record = recordDelivery({ store, recent: new RecentOrders(0), quarantined });
      expect(right(await record({ verified: arrived(body), content: readContent(body) })()).outcome).to.equal(
        'recorded',
      );
    });

    for (const outcome of OUTCOMES) {
      const { revision, types } = ENDS[outcome];

      it(`answers ${outcome} as a delivery would have been, and the same each time`, async () => {
        const { orderId, body } = await scene(store, outcome);
        const answer = await release(store, body);
        expect([answer.outcome, answer.orderId, answer.stream, answer.event.revision]).to.deep.equal([
          outcome,
          orderId,
          `order-${orderId}`,
          revision,
        ]);
        expect((await orderEvents(store, orderId)).map(({ type }) => type)).to.deep.equal(types);
        await expectReleased(store, body, answer);
        const events = await countProven(store);
        await deliver(store, bodyOf(offRamp({ orderId, status: 'PayoutSuccess', utr: 'U1' })));
        expect(await release(store, body)).to.deep.equal(answer);
        expect(await deliver(store, body)).to.deep.equal(answer);
        expect(await countProven(store)).to.equal(events + 1);
      });

      it(`is asked for by a redelivery too, with the answer ${outcome}`, async () => {
        const { orderId, body } = await scene(store, outcome);
        const answer = await deliver(store, body);
        expect([answer.outcome, answer.event.revision]).to.deep.equal([outcome, revision]);
        await expectReleased(store, body, answer);
        expect(await deliver(store, body)).to.deep.equal(answer);
        expect(await release(store, body)).to.deep.equal(answer);
        expect((await orderEvents(store, orderId)).map(({ type }) => type)).to.deep.equal(types);
      });

      for (const nth of outcome === 'duplicate' ? [1] : [1, 2]) {
        for (const when of ['before', 'after'] satisfies CutOff[]) {
          it(`finishes what was cut off ${when} append ${nth}, with the answer ${outcome}`, async () => {
            for (const finish of [release, (_: Appends, of: Buffer) => deliver(store, of)]) {
              const { orderId, body } = await scene(store, outcome);
              const cut = await askForRelease(cutOffStore(store, nth, when), body);
              expect(E.isLeft(cut) ? cut.left._tag : 'success').to.equal('StoreUnavailable');
              const answer = await finish(store, body);
              expect([answer.outcome, answer.event.revision]).to.deep.equal([outcome, revision]);
              await expectReleased(store, body, answer);
              expect((await orderEvents(store, orderId)).map(({ type }) => type)).to.deep.equal(types);
              expect(await release(store, body)).to.deep.equal(answer);
            }
            await countProven(store);
          });
        }
      }

      it(`releases once, with the answer ${outcome} to all, however many ask at the same time`, async () => {
        const { orderId, body } = await scene(store, outcome);
        const asking = Array.from({ length: 12 }, (_, i) =>
          i % 3 === 0 ? deliver(store, body) : release(store, body),
        );
        const [answer, ...others] = await Promise.all(asking);
        if (answer === undefined) throw new Error('nobody asked');
        for (const other of others) expect(other).to.deep.equal(answer);
        expect(answer.outcome).to.equal(outcome);
        await expectReleased(store, body, answer);
        expect((await orderEvents(store, orderId)).map(({ type }) => type)).to.deep.equal(types);
      });
    }

    for (const outcome of ['recorded', 'conflict'] as const) {
      it(`finishes what was cut off when the order has gone on since, with the answer ${outcome}`, async () => {
        for (const [nth, when] of [
          [1, 'after'],
          [2, 'before'],
        ] as const) {
          const { orderId, body } = await scene(store, outcome);
          expect(E.isLeft(await askForRelease(cutOffStore(store, nth, when), body))).to.equal(true);
          await deliver(store, bodyOf(offRamp({ orderId, status: 'PayoutSuccess', utr: 'U1' })));
          const answer = await release(store, body);
          expect([answer.outcome, answer.event.revision]).to.deep.equal([outcome, ENDS[outcome].revision]);
          await expectReleased(store, body, answer);
          const types = [...ENDS[outcome].types, 'OffRampPayoutSuccess'];
          expect((await orderEvents(store, orderId)).map(({ type }) => type)).to.deep.equal(types);
        }
      });
    }

    it('gives the order the original bytes, signature, secret, time and request, and says by whom it was released', async () => {
      const body = bodyOf(` ${JSON.stringify(onRamp(), null, 1)}`);
      const verified = await putAway(store, body.toString());
      const releasing = newRequestId();
      const { event: known, stream } = right(
        await releaseQuarantined({ store, recent: new RecentOrders(0) })({
          bodySha256: verified.bodySha256,
          releasedAt: RELEASED_AT,
          requestId: releasing,
        })(),
      );
      const { signature, secretId, receivedAt, bodySha256 } = verified;
      const event = right(await store.readStream(stream)())[known.revision];
      expect(event === undefined ? null : signedBytes(event)).to.deep.equal(body);
      expect(metadataOf(event)).to.include({
        signature,
        secretId,
        receivedAt,
        bodySha256,
        requestId: verified.requestId,
      });
      const released = right(await store.readStream(quarantineStream(verified.bodySha256))())[1];
      expect(released === undefined ? null : signedBytes(released)).to.deep.equal(body);
      expect(metadataOf(released)).to.include({
        signature,
        secretId,
        bodySha256,
        receivedAt: RELEASED_AT,
        requestId: releasing,
        $correlationId: stream.replace('order-', ''),
      });
    });

    it('is a duplicate where the same bytes came to the order by another way', async () => {
      const payload = onRamp();
      const body = bodyOf(payload);
      await deliverUnaware(store, body);
      await putAway(store, payload);
      const answer = await release(store, body);
      expect([answer.outcome, answer.event.revision]).to.deep.equal(['duplicate', 0]);
      await expectReleased(store, body, answer);
    });

    it('is a conflict that another delivery of the same facts brought, whose event it names', async () => {
      const { orderId, body } = await scene(store, 'conflict');
      const signedAnew = { ...orderPayload(body.toString()), updated_at: '2024-01-02T00:00:00Z' };
      const brought = await deliverUnaware(store, bodyOf(signedAnew));
      expect([brought.outcome, brought.event.revision]).to.deep.equal(['conflict', 1]);
      const answer = await release(store, body);
      expect(answer).to.deep.equal(brought);
      await expectReleased(store, body, answer);
      expect(await release(store, body)).to.deep.equal(answer);
      expect(await deliver(store, body)).to.deep.equal(answer);
      expect((await orderEvents(store, orderId)).map(({ type }) => type)).to.deep.equal(ENDS.conflict.types);
      await countProven(store);
    });

    it('leaves what still can’t be read where it is', async () => {
      for (const [text, orderId] of [
        ['no json', null],
        [JSON.stringify({ eventType: 'onramp', orderId: 'o-1', fiat: 'much' }), 'o-1'],
      ] as const) {
        const body = bodyOf(text);
        const first = await deliver(store, body);
        const events = await countProven(store);
        expect(first).to.include({ outcome: 'quarantined', orderId, stream: quarantineStream(sha256(body)) });
        expect(await release(store, body)).to.deep.equal(first);
        expect(await deliver(store, body)).to.deep.equal(first);
        expect(await countProven(store)).to.equal(events);
      }
    });

    it('leaves an order of the other flow where it is', async () => {
      const orderId = newOrderId();
      await deliver(store, bodyOf(onRamp({ orderId })));
      const other = offRamp({ orderId });
      const body = bodyOf(other);
      const quarantined = right(await new KnownQuarantine().load(store)());
      const record = recordDelivery({ store, recent: new RecentOrders(10), quarantined });
      const first = right(await record({ verified: arrived(body), content: readContent(body) })());
      expect(first).to.include({ outcome: 'quarantined', orderId, stream: quarantineStream(sha256(body)) });
      expect(quarantined.has(sha256(body))).to.equal(true);
      for (let i = 0; i < 2; i += 1) {
        expect(await release(store, body)).to.deep.equal(first);
        expect(right(await record({ verified: arrived(body), content: readContent(body) })())).to.deep.equal(first);
      }
      expect(await countProven(store)).to.equal(2);
      const byHand = bodyOf({ ...other, status: 'orderReceived' });
      await putAway(store, byHand.toString());
      expect((await release(store, byHand)).outcome).to.equal('quarantined');
      expect(await countProven(store)).to.equal(3);
    });

    it('knows only what is in quarantine', async () => {
      await deliver(store, bodyOf(onRamp()));
      const answer = await askForRelease(store, bodyOf('never seen'));
      expect(E.isLeft(answer) ? answer.left : null).to.deep.equal({ _tag: 'NotQuarantined' });
      expect(await countProven(store)).to.equal(1);
    });

    it('knows the bodies in quarantine from the start, and those that are put there later', async () => {
      const old = await putAway(store, onRamp());
      await deliver(store, bodyOf(onRamp()));
      const quarantined = right(await new KnownQuarantine().load(store)());
      const record = recordDelivery({ store, recent: new RecentOrders(0), quarantined });
      const unreadable = arrived(bodyOf('unreadable'));
      const known = (): readonly boolean[] => [old, unreadable].map(({ bodySha256 }) => quarantined.has(bodySha256));
      expect(known()).to.deep.equal([true, false]);
      right(await record({ verified: unreadable, content: readContent(unreadable.body) })());
      expect(known()).to.deep.equal([true, true]);
    });
  });
}

describe('release-quarantined over damaged events', () => {
  const fresh = () => inMemoryEventStore(() => instantOf(0));

  it('releases nothing from a damaged quarantine; a redelivery goes to its order all the same', async () => {
    const store = fresh();
    const { body, orderId } = await scene(store, 'recorded');
    const before = await orderEvents(store, orderId);
    const stream = quarantineStream(sha256(body));
    store.tamper(stream, 0, { rawBody: bodyOf(body.toString().replace('5023.5', '9023.5')) });
    const refused = await askForRelease(store, body);
    expect(E.isLeft(refused) ? refused.left._tag : 'success').to.equal('UnreadableEvent');
    expect(await orderEvents(store, orderId)).to.deep.equal(before);
    const answer = await deliver(store, body);
    expect([answer.outcome, answer.stream]).to.deep.equal(['recorded', `order-${orderId}`]);
    expect(right(await store.readStream(stream)())).to.have.length(1);
  });

  it('answers nothing from a release that names an event of other facts as its conflict', async () => {
    const store = fresh();
    const { body, orderId } = await scene(store, 'conflict');
    const other = await deliverUnaware(store, bodyOf(offRamp({ orderId, status: 'PayoutSuccess', utr: 'U1' })));
    const stream = quarantineStream(sha256(body));
    const said = { eventId: other.event.eventId, outcome: 'conflict', orderId: branded<OrderId>(orderId) } as const;
    const asked = { releasedAt: RELEASED_AT, requestId: newRequestId() };
    const forged = releaseEvent(arrived(body), asked, said).event;
    right(await store.append(stream, branded<Revision>(0), [forged])());
    // The stream of the quarantine shows nothing of it.
    await countProven(store);
    const refused = await askForRelease(store, body);
    expect(E.isLeft(refused) ? refused.left._tag : 'success').to.equal('UnreadableEvent');
  });

  it('answers nothing from a damaged release, or one whose event is gone', async () => {
    const store = fresh();
    const { body, orderId } = await scene(store, 'recorded');
    await release(store, body);
    const there = orderStream(branded<OrderId>(orderId));
    const elsewhere = branded<StreamName>('order-elsewhere');
    store.tamper(there, 1, { stream: elsewhere });
    const gone = await askForRelease(store, body);
    expect(E.isLeft(gone) ? gone.left._tag : 'success').to.equal('UnreadableEvent');
    store.tamper(elsewhere, 1, { stream: there });
    expect((await release(store, body)).outcome).to.equal('recorded');
    const quarantine = quarantineStream(sha256(body));
    const said = right(await store.readStream(quarantine)())[1]?.data ?? '';
    store.tamper(quarantine, 1, { data: said.replace('recorded', 'conflict') });
    const damaged = await askForRelease(store, body);
    expect(E.isLeft(damaged) ? damaged.left._tag : 'success').to.equal('UnreadableEvent');
  });
});
