import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { branded } from '../../../src/domain/brand.ts';
import type { StreamName } from '../../../src/domain/ids.ts';
import type { RecordedEvent } from '../../../src/domain/recorded-event.ts';
import { right } from '../../support/right.ts';
import { anEvent } from '../../support/stored-events.ts';
import {
  allOf,
  append,
  aStream,
  at,
  eventually,
  idsOf,
  openScene,
  proposed,
  SHORT,
  SHORT_OVER_MS,
  there,
  timed,
  unavailableDetail,
} from './store-scene.ts';
import type { StoreScene } from './store-scene.ts';

const MANY = 3_000;

describe('EventStoreDB facts: reading', () => {
  let scene: StoreScene;
  let stream: StreamName;
  beforeEach(async () => {
    scene = await openScene();
    stream = aStream();
  });
  afterEach(() => scene.close());

  /** More than fits between a server and a client that does not read. */
  const fill = (name: string): void => {
    const data = Buffer.from(JSON.stringify({ filler: 'x'.repeat(3_000) }));
    scene.double.log.write(
      name,
      Array.from({ length: MANY }, () => proposed({ data })),
    );
  };

  it('leaving a for await over a read leaves its gRPC call open until dispose: each is cancelled, however it is left', async () => {
    const store = scene.command();
    fill(there(stream));
    for await (const _ of scene.client().readAll()) break;
    expect(scene.double.openReads(), 'what the client itself leaves').to.equal(1);

    const { position } = await append(store, stream, at(MANY - 1), anEvent());
    for await (const _ of store.readAll(null)) break;
    for await (const _ of store.subscribe(null, new AbortController().signal)) break;
    const abort = new AbortController();
    for await (const _ of store.subscribe(null, abort.signal)) abort.abort();
    expect(right(await store.readAt([position])())).to.have.length(1);
    expect(right(await store.parsePosition(position)())).to.equal(position);
    expect(right(await store.head()())).to.equal(position);
    expect(right(await store.readStream(stream)())).to.have.length(MANY + 1);
    await eventually('all other calls to be ended', () => scene.double.openReads() === 1);
  });

  it('an error in the middle of a read is a Left at its end, never a shorter list', async () => {
    const store = scene.command();
    fill(there(stream));
    const given: E.Either<unknown, RecordedEvent>[] = [];
    for await (const each of store.readAll(null)) {
      if (given.push(each) === 1) scene.double.faults.dropConnections();
    }
    expect(given.length).to.be.within(2, MANY - 1);
    unavailableDetail(E.toUnion(given.at(-1) ?? E.left(null)));
    expect(given.slice(0, -1).every(E.isRight)).to.equal(true);

    await eventually('no call to be open', () => scene.double.openReads() === 0);
    const [sent, read] = [scene.double.sentEvents(), store.readStream(stream)()];
    while (scene.double.sentEvents() === sent) await new Promise(setImmediate);
    scene.double.faults.dropConnections();
    unavailableDetail(E.toUnion(await read));
  });

  it('a read that gets no answer is given up by itself: the client sets reads no deadline', async () => {
    const store = scene.command(SHORT);
    const { position } = await append(store, stream, 'none', anEvent());
    scene.double.faults.silence('read');
    const { tookMs, value } = await timed(() =>
      Promise.all([
        store.readStream(stream)(),
        store.head()(),
        store.readAt([position])(),
        store.listStreams('order-')(),
        store.parsePosition(position)(),
      ]),
    );
    for (const each of value) expect(E.isLeft(each) ? each.left : each).to.include({ _tag: 'StoreUnavailable' });
    expect(tookMs).to.be.lessThan(SHORT_OVER_MS);
    await eventually('the calls to be cancelled', () => scene.double.openReads() === 0);
  });

  it('a missing stream is in-band stream_not_found: nothing, and no error', async () => {
    for (const store of [scene.command(), (await scene.serving()).store]) {
      expect(right(await store.readStream(stream)())).to.deep.equal([]);
      expect(right(await store.head()())).to.equal(null);
      expect(await allOf(store)).to.deep.equal([]);
    }
  });

  it('readAll has no server-side filter, subscribeToAll has: all is read through a filter that spares what others wrote', async () => {
    const { store } = await scene.serving();
    const [first, last] = [anEvent(), anEvent()];
    await append(store, stream, 'none', first);
    fill('others-1');
    await append(store, stream, at(0), last);
    const before = scene.double.sentEvents();
    expect(idsOf(await allOf(store))).to.deep.equal(idsOf([first, last]));
    expect(right(await store.listStreams('order-')())).to.deep.equal([stream]);
    expect(scene.double.sentEvents() - before).to.equal(4);
  });

  it("readAll shows system events, metadata, links and what others write: only the ledger's own are given", async () => {
    const { store, shown } = await scene.serving();
    const { log } = scene.double;
    const event = anEvent();
    const { position } = await append(store, stream, 'none', event);
    const link = { type: '$>', data: Buffer.from(`0@${there(stream)}`) };
    log.write(`$$${there(stream)}`, [proposed({ type: '$metadata', data: Buffer.from('{"$acl":{}}') })]);
    log.write('$ce-facts', [proposed(link)]);
    // Links in a stream of the ledger's names are none of its events either.
    log.write(there(aStream()), [proposed(link)]);
    for (const name of [stream, `x${there(stream)}`, 'facts-', 'facts-other-1', 'FACTS-order-1'])
      log.write(name, [proposed()]);
    for (const each of [store, scene.command()]) {
      expect(idsOf(await allOf(each))).to.deep.equal([event.id]);
      expect(right(await each.listStreams('')())).to.deep.equal([stream]);
      expect(right(await each.head()())).to.equal(position);
    }
    await append(store, stream, at(0), anEvent());
    await eventually('the next event to be shown', () => shown.length > 1);
    expect(shown.map((each) => each.stream)).to.deep.equal([stream, stream]);
  });

  for (const [one, other] of [
    ['', 'a-'],
    ['a-', 'a-b-'],
    ['shop ', 'Shop '],
  ] as const) {
    it(`stream names under the prefix "${one}" are kept apart from those under "${other}"`, async () => {
      for (const [prefix, names] of [
        [one, ['order-1', 'order-2', 'quarantine-1']],
        [other, ['order-1', 'quarantine-2']],
      ] as const) {
        const store = scene.command({}, prefix);
        for (const name of names) await append(store, branded<StreamName>(name), 'none', anEvent());
      }
      const streamsOf = async (prefix: string): Promise<unknown> => {
        const store = scene.command({}, prefix);
        const all = (await allOf(store)).map((event) => event.stream);
        expect(all).to.have.members(right(await store.listStreams('')()));
        return all;
      };
      expect(await streamsOf(one)).to.deep.equal(['order-1', 'order-2', 'quarantine-1']);
      expect(await streamsOf(other)).to.deep.equal(['order-1', 'quarantine-2']);
    });
  }
});
