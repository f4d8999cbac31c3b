import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { branded } from '../../../src/domain/brand.ts';
import { orderStream, type OrderId, type RequestId, type StreamName } from '../../../src/domain/ids.ts';
import type { JsonObject } from '../../../src/domain/json.ts';
import { readContent } from '../../../src/domain/read-content.ts';
import type { AppendError, Appended, EventStore } from '../../../src/event-store/event-store.ts';
import { RecentOrders } from '../../../src/ledger/recent-orders.ts';
import { recordDelivery } from '../../../src/ledger/record-delivery.ts';
import { bodyOf, newOrderId, offRamp, verifiedDelivery } from '../../support/payloads.ts';
import { right } from '../../support/right.ts';
import { anEvent, someEvents } from '../../support/stored-events.ts';
import { answer, append, aStream, at, eventually, idsOf, lostRace, openScene } from './store-scene.ts';
import type { StoreScene } from './store-scene.ts';

const QUIET = { quietMs: 600 };

describe('EventStoreDB facts: append and idempotency', () => {
  let scene: StoreScene;
  let stream: StreamName;
  beforeEach(async () => {
    scene = await openScene();
    stream = aStream();
  });
  afterEach(() => scene.close());

  it('the server compares event ids and nothing else: the same id with other data is a success there, and a lost race here', async () => {
    const store = scene.command();
    const [first, second] = [anEvent(), anEvent()];
    await append(store, stream, 'none', first);
    await append(store, stream, at(0), second);
    const other = anEvent({ id: second.id });
    expect(await scene.appendRaw(stream, 0n, other)).to.include({ success: true, nextExpectedRevision: 1n });
    expect(await answer(store, stream, at(0), other)).to.deep.equal(lostRace(at(1)));
    expect(idsOf(scene.written(stream))).to.deep.equal([first.id, second.id]);
  });

  it('never data, never type: an event of another type, metadata or raw body under the same id has lost its race too', async () => {
    const { store } = await scene.serving();
    const event = anEvent({ rawBody: Buffer.from('{ "a": 1 }') });
    const { position } = await append(store, stream, 'none', event);
    for (const other of [
      { type: 'OnRampCompleted' },
      { metadata: Buffer.from('{"requestId":"another"}') },
      { rawBody: Buffer.from('{"a": 1}') },
      { rawBody: null },
    ]) {
      expect(await answer(store, stream, 'none', { ...event, ...other })).to.deep.equal(lostRace(at(0)));
    }
    expect(await append(store, stream, 'none', event)).to.deep.equal({ revision: 0, position });
    expect(scene.written(stream)).to.have.length(1);
  });

  it('after a restart the cache of recent ids is empty, and a repeat at an exact revision is still found', async () => {
    const store = scene.command();
    const [first, second] = [anEvent(), anEvent()];
    const appended = [await append(store, stream, 'none', first), await append(store, stream, at(0), second)];
    await scene.double.restart({ forgetIds: true });
    const repeated = [await append(store, stream, 'none', first), await append(store, stream, at(0), second)];
    expect(repeated).to.deep.equal(appended);
    expect(idsOf(scene.written(stream))).to.deep.equal([first.id, second.id]);
  });

  it('behind the head, all ids equal: success without a write, with the original revision and position', async () => {
    const { store } = await scene.serving();
    const [first, second, third] = [anEvent(), anEvent(), anEvent()];
    const one = await append(store, stream, 'none', first);
    const both = await append(store, stream, at(0), second, third);
    expect(await append(store, stream, 'none', first)).to.deep.equal(one);
    expect(await append(store, stream, at(0), second)).to.deep.equal(both);
    expect(await append(store, stream, at(0), second, third)).to.deep.equal(both);
    expect(scene.written(stream)).to.have.length(3);
  });

  it('behind the head, one id differs: wrong expected version, with the head', async () => {
    const store = scene.command();
    const events = someEvents(3);
    await append(store, stream, 'none', ...events);
    expect(await answer(store, stream, at(0), anEvent())).to.deep.equal(lostRace(at(2)));
    expect(await answer(store, stream, 'none', events[0], anEvent())).to.deep.equal(lostRace(at(2)));
    expect(scene.written(stream)).to.have.length(3);
  });

  it('a batch whose ids are there in part is refused as a whole', async () => {
    const store = scene.command();
    const events = someEvents(2);
    await append(store, stream, 'none', ...events);
    expect(await answer(store, stream, 'none', ...events, anEvent())).to.deep.equal(lostRace(at(1)));
    expect(idsOf(scene.written(stream))).to.deep.equal(idsOf(events));
  });

  it('equal to the head an append is always written, so the revision is the one of the caller and is never refreshed', async () => {
    const { store } = await scene.serving();
    const event = anEvent();
    await append(store, stream, 'none', event);
    expect(await append(store, stream, 'none', event)).to.include({ revision: 0 });
    expect(scene.written(stream)).to.have.length(1);
    // What a refreshed revision would do: the id is not looked at there.
    expect(await append(store, stream, at(0), event)).to.include({ revision: 1 });
    expect(idsOf(scene.written(stream))).to.deep.equal([event.id, event.id]);
  });

  it('ahead of the head: wrong expected version', async () => {
    const store = scene.command();
    expect(await answer(store, stream, at(3), anEvent())).to.deep.equal(lostRace('none'));
    await append(store, stream, 'none', anEvent());
    expect(await answer(store, stream, at(3), anEvent())).to.deep.equal(lostRace(at(0)));
  });

  const race = async (one: EventStore, other: EventStore): Promise<void> => {
    await append(one, stream, 'none', anEvent());
    const event = anEvent();
    const answers = await Promise.all([
      answer(one, stream, at(0), event),
      answer(other, stream, at(0), anEvent({ id: event.id })),
      answer(one, stream, at(0), anEvent({ id: event.id })),
      answer(other, stream, at(0), anEvent({ id: event.id })),
    ]);
    const told = answers.filter((each) => !('_tag' in each));
    expect(told).to.deep.equal([{ revision: 1, position: String(scene.written(stream)[1]?.position) }]);
    expect(answers.filter((each) => '_tag' in each)).to.deep.equal(Array(3).fill(lostRace(at(1))));
    expect(scene.written(stream)).to.have.length(2);
  };

  it('two writers of one id with different data at one revision both get success, and exactly one is told so: seen on its own subscription', async () => {
    const [{ store: one }, { store: other }] = [await scene.serving(QUIET), await scene.serving(QUIET)];
    await race(one, other);
    // Where no read is answered it is the subscription alone that tells; who lost then knows no head.
    scene.double.faults.silence('read');
    const [event, unread] = [anEvent(), aStream()];
    const answers = await Promise.all([
      answer(one, unread, 'none', event),
      answer(other, unread, 'none', anEvent({ id: event.id })),
    ]);
    expect(answers.filter((each) => !('_tag' in each))).to.have.length(1);
    expect(scene.written(unread)).to.have.length(1);
  });

  it('two writers of one id with different data at one revision both get success, and exactly one is told so: read back without a subscription', () =>
    race(scene.command(), scene.command()));

  it('two writers of one id with different data at one revision both get success, and exactly one is told so: read back while the subscription is down', async () => {
    const [one, other] = [await scene.serving(), await scene.serving()];
    scene.double.faults.silence('subscription');
    scene.double.faults.endSubscriptions();
    await eventually('both to be without a subscription', () =>
      [one, other].every(({ store }) => !store.readiness().ready),
    );
    await race(one.store, other.store);
    expect([one, other].map(({ store }) => store.readiness().ready)).to.deep.equal([false, false]);
  });

  it('once-only on a business key takes four steps: two ledgers that receive at once tell recorded, duplicate and conflict apart', async () => {
    const ledgers = await Promise.all([scene.serving(), scene.serving()]);
    const records = ledgers.map(({ store }) =>
      recordDelivery({ store, recent: new RecentOrders(100), quarantined: new Set() }),
    );
    const deliver = async (ledger: number, payload: JsonObject): Promise<string> => {
      const body = bodyOf(payload);
      const verified = verifiedDelivery(body, { requestId: branded<RequestId>(randomUUID()) });
      const recorded = await records[ledger]?.({ verified, content: readContent(body) })();
      return right(recorded ?? E.left('no such ledger')).outcome;
    };
    for (let round = 0; round < 10; round += 1) {
      const orderId = newOrderId();
      const same = offRamp({ orderId, status: 'fiatDeemed', utr: 'U1' });
      const other = offRamp({ orderId, status: 'fiatDeemed', utr: 'U1', fiat: 1 });
      const outcomes = await Promise.all([
        deliver(0, same),
        deliver(1, same),
        deliver(round % 2, same),
        deliver(0, other),
        deliver(1, other),
        deliver(round % 2, other),
      ]);
      const events = scene.written(orderStream(branded<OrderId>(orderId)));
      // Whichever came first is the order's event, and every delivery of the other one conflicts with it.
      expect([outcomes.slice(0, 3).sort(), outcomes.slice(3).sort()]).to.have.deep.members([
        ['duplicate', 'duplicate', 'recorded'],
        ['conflict', 'conflict', 'conflict'],
      ]);
      expect(events).to.have.length(2);
      expect(new Set(idsOf(events)).size).to.equal(2);
    }
  });

  const toldOf = (answers: readonly (AppendError | Appended)[]): readonly string[] =>
    answers.map((each) => ('_tag' in each ? each._tag : 'Appended')).sort();

  it('fifty parallel appends with one expected revision: one wins, the others know the actual one', async () => {
    const { store } = await scene.serving();
    await append(store, stream, 'none', anEvent());
    const answers = await Promise.all(someEvents(50).map((event) => answer(store, stream, at(0), event)));
    expect(toldOf(answers)).to.deep.equal(['Appended', ...Array<string>(49).fill('WrongExpectedRevision')]);
    for (const each of answers) if ('_tag' in each) expect(each).to.deep.equal(lostRace(at(1)));
    expect(scene.written(stream)).to.have.length(2);
  });

  it('fifty parallel appends of one id to no_stream: fifty successes of one event', async () => {
    const { store } = await scene.serving();
    const event = anEvent();
    const answers = await Promise.all(Array.from({ length: 50 }, () => append(store, stream, 'none', event)));
    expect(new Set(answers.map((each) => JSON.stringify(each))).size).to.equal(1);
    expect(scene.written(stream)).to.have.length(1);
  });
});
