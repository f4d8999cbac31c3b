import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { branded } from '../../../src/domain/brand.ts';
import type { Position, StreamName } from '../../../src/domain/ids.ts';
import { positionNumber } from '../../../src/domain/position.ts';
import type { RecordedEvent } from '../../../src/domain/recorded-event.ts';
import type { EventStore } from '../../../src/event-store/event-store.ts';
import { eventLog } from '../../support/eventstoredb/event-log.ts';
import { right } from '../../support/right.ts';
import { anEvent, someEvents } from '../../support/stored-events.ts';
import { allOf, append, aStream, at, idsOf, openScene, proposed, SHORT, there } from './store-scene.ts';
import type { StoreScene } from './store-scene.ts';

const position = (of: bigint | number | undefined): Position => branded<Position>(String(of));
const UNKNOWN = { _tag: 'UnknownPosition' };

describe('EventStoreDB facts: positions', () => {
  let scene: StoreScene;
  let stream: StreamName;
  beforeEach(async () => {
    scene = await openScene();
    stream = aStream();
  });
  afterEach(() => scene.close());

  const known = async (store: EventStore, text: string): Promise<unknown> =>
    E.toUnion(await store.parsePosition(text)());
  const read = async (store: EventStore, ...positions: readonly Position[]): Promise<readonly RecordedEvent[]> =>
    right(await store.readAt(positions)());

  it('the position of an idempotent success may be undefined or old: the one told is that of the event', async () => {
    const { store } = await scene.serving();
    const events = someEvents(2);
    const appended = await append(store, stream, 'none', ...events);
    await append(store, stream, at(1), anEvent());
    // The server tells the place of the last event of a batch, the port that of the first.
    expect(await append(store, stream, 'none', ...events)).to.deep.equal(appended);
    expect(appended.position).to.equal(position(scene.written(stream)[0]?.position));
  });

  it('positions are inclusive for reads: readAt gives the very event at each, in their order', async () => {
    const store = scene.command();
    await append(store, stream, 'none', ...someEvents(5));
    const all = await allOf(store);
    expect(await read(store, ...all.map((event) => event.position))).to.deep.equal(all);
    const some = all.filter((_, i) => i % 2 === 0);
    expect(idsOf(await read(store, ...some.map((event) => event.position)))).to.deep.equal(idsOf(some));
  });

  it('positions are exclusive for subscriptions: one goes on behind the position that was handled', async () => {
    const store = scene.command();
    await append(store, stream, 'none', ...someEvents(4));
    const all = await allOf(store);
    for (const [i, event] of all.entries()) {
      expect(idsOf(await allOf(store, event.position))).to.deep.equal(idsOf(all.slice(i + 1)));
    }
    const abort = new AbortController();
    for await (const batch of store.subscribe(all[1]?.position ?? null, abort.signal)) {
      expect(right(batch)[0]?.id).to.equal(all[2]?.id);
      abort.abort();
    }
  });

  const firstAt = (firstPosition: bigint): Promise<StoreScene> => openScene({ log: eventLog({ firstPosition }) });

  it('revisions and positions are bigints: one above 2^53 is told clearly, and never rounded', async () => {
    const far = await firstAt(2n ** 53n + 1n);
    try {
      const store = far.command();
      const told = /beyond the positions that can be told exactly/;
      const event = anEvent();
      expect(JSON.stringify(await store.append(stream, 'none', [event])())).to.match(told);
      expect(idsOf(far.written(stream))).to.deep.equal([event.id]);
      expect(JSON.stringify(await store.readStream(stream)())).to.match(told);
      expect(JSON.stringify(await store.head()())).to.match(told);
      const given: unknown[] = [];
      for await (const each of store.readAll(null)) given.push(each);
      expect(given).to.have.length(1);
      expect(JSON.stringify(given)).to.match(told);
    } finally {
      await far.close();
    }
  });

  it('positions up to 2^53 are exact', async () => {
    const near = await firstAt(2n ** 53n - 5_000n);
    try {
      const store = near.command();
      const appended = await append(store, stream, 'none', ...someEvents(3));
      const logged = near.written(stream).map((event) => String(event.position));
      expect(logged[0]).to.match(/^90071992547\d{5}$/);
      expect(appended.position).to.equal(logged[0]);
      expect((await allOf(store)).map((event) => event.position)).to.deep.equal(logged);
      expect((await read(store, position(BigInt(logged[1] ?? 0))))[0]?.revision).to.equal(1);
      expect(right(await store.head()())).to.equal(logged[2]);
    } finally {
      await near.close();
    }
  });

  it('keep both commit and prepare: an event where they differ is told clearly by every read, and never skipped', async () => {
    const store = scene.command();
    await append(store, stream, 'none', anEvent());
    scene.double.log.write(there(stream), [proposed({ isTransacted: true })]);
    const [, transacted] = scene.written(stream);
    const told = /commit and prepare positions differ/;
    expect(JSON.stringify(await store.readStream(stream)())).to.match(told);
    expect(JSON.stringify(await store.head()())).to.match(told);
    expect(JSON.stringify(await store.listStreams('order-')())).to.match(told);
    // Behind it stands another one, which a read that skipped it would reach.
    scene.double.log.write(there(stream), [proposed()]);
    for (const after of [null, position(scene.written(stream)[0]?.position)]) {
      const given: unknown[] = [];
      for await (const each of store.readAll(after)) given.push(E.isRight(each) ? each.right.revision : each.left);
      expect(JSON.stringify(given.at(-1))).to.match(told);
      expect(JSON.stringify(given.at(-1))).to.contain(`event ${transacted?.revision} of stream ${stream}`);
      expect(given).to.have.length(after === null ? 2 : 1);
    }
    for await (const batch of store.subscribe(
      position(scene.written(stream)[0]?.position),
      new AbortController().signal,
    )) {
      expect(JSON.stringify(batch)).to.match(told);
    }
  });

  it("a position that is no event: the server's UnknownError is told as an unknown position, and reads give nothing there", async () => {
    const store = scene.command();
    const appended = await append(store, stream, 'none', anEvent());
    await append(store, stream, at(0), anEvent());
    const beside = positionNumber(appended.position) + 1;
    expect(await known(store, String(beside))).to.deep.equal(UNKNOWN);
    expect(await read(store, position(beside))).to.deep.equal([]);
  });

  it('beyond the end: nothing, and an unknown position', async () => {
    const store = scene.command();
    await append(store, stream, 'none', anEvent());
    const beyond = scene.double.log.end() + 10n;
    expect(await known(store, String(beyond))).to.deep.equal(UNKNOWN);
    expect(await read(store, position(beyond))).to.deep.equal([]);
    expect(await allOf(store, position(beyond))).to.deep.equal([]);
  });

  it('a position of an event of others, or of the system, is an unknown one', async () => {
    const store = scene.command();
    await append(store, stream, 'none', anEvent());
    const [others] = scene.double.log.write('others-1', [proposed()]);
    const system = scene.double.log.events().find((event) => event.stream.startsWith('$'));
    for (const event of [others, system]) {
      expect(await known(store, String(event?.position))).to.deep.equal(UNKNOWN);
      expect(await read(store, position(event?.position))).to.deep.equal([]);
    }
  });

  it('what is no number in digits is an unknown position, and is not asked of the server', async () => {
    const store = scene.command(SHORT);
    const { position: there } = await append(store, stream, 'none', anEvent());
    // Silence shows what is asked: it would be answered as unavailable.
    scene.double.faults.silence('read');
    for (const text of [
      '',
      'x',
      '-1',
      '1.5',
      `0${there}`,
      `${there} `,
      '0x10',
      '1e3',
      '9007199254740993',
      '9'.repeat(30),
    ]) {
      expect(await known(store, text)).to.deep.equal(UNKNOWN);
    }
  });

  it('a position is known again by its text while the server answers, and unavailable, not unknown, while it does not', async () => {
    const store = scene.command(SHORT);
    const { position: of } = await append(store, stream, 'none', anEvent());
    expect(await known(store, of)).to.equal(of);
    scene.double.faults.silence('read');
    expect(await known(store, of)).to.include({ _tag: 'StoreUnavailable' });
    scene.double.faults.clear();
    scene.double.faults.refuseAll({ _tag: 'Busy' });
    expect(await known(store, of)).to.include({ _tag: 'StoreUnavailable' });
  });
});
