import { expect } from 'chai';
import type { StreamName } from '../../../src/domain/ids.ts';
import type { EventStore } from '../../../src/event-store/event-store.ts';
import { startCluster } from '../../support/eventstoredb/cluster.ts';
import { right } from '../../support/right.ts';
import { anEvent } from '../../support/stored-events.ts';
import {
  answer,
  append,
  aStream,
  eventually,
  isSettled,
  openScene,
  proposed,
  SHORT,
  SHORT_OVER_MS,
  stores,
  there,
  timed,
  unavailableDetail,
} from './store-scene.ts';
import type { StoreScene } from './store-scene.ts';

describe('EventStoreDB facts: closing', () => {
  let scene: StoreScene;
  let stream: StreamName;
  beforeEach(async () => {
    scene = await openScene();
    stream = aStream();
  });
  afterEach(() => scene.close());

  const closesSoon = async (store: EventStore): Promise<void> => {
    const { tookMs } = await timed(() => store.close());
    expect(tookMs).to.be.lessThan(SHORT_OVER_MS);
  };

  it('ends soon connected: no call is left open', async () => {
    const { store } = await scene.serving();
    await append(store, stream, 'none', anEvent());
    const following = (async () => {
      for await (const _ of store.subscribe(null, new AbortController().signal));
    })();
    await eventually('two subscriptions', () => scene.double.openReads() === 2);
    await closesSoon(store);
    await following;
    await eventually('no call to be open', () => scene.double.openReads() === 0);
  });

  it('ends soon while the server is away, or frozen', async () => {
    const [{ store: one }, { store: other }] = [await scene.serving(SHORT), await scene.serving(SHORT)];
    scene.double.faults.freeze();
    await closesSoon(one);
    scene.double.faults.thaw();
    await scene.double.stop();
    await closesSoon(other);
  });

  it('ends soon while the server is silent to everything, with a read that waits', async () => {
    const { store } = await scene.serving({ ...SHORT, quietMs: 60_000 });
    // Else it may still be looked for.
    right(await store.head()());
    scene.double.faults.silence();
    const read = store.readStream(stream)();
    await eventually('the read to be under way', () => scene.double.openReads() === 2);
    await closesSoon(store);
    expect(JSON.stringify(await read)).to.match(/StoreUnavailable/);
  });

  it('ends soon while a subscription waits for a consumer that takes no more', async () => {
    const { store } = await scene.serving();
    const many = Array.from({ length: 3_000 }, () => proposed({ data: Buffer.alloc(1_000, ' ') }));
    scene.double.log.write(there(stream), many);
    const taken = store.subscribe(null, new AbortController().signal)[Symbol.asyncIterator]();
    expect((await taken.next()).done).to.equal(false);
    let sent = 0;
    await eventually('nothing more to be sent', () => sent === (sent = scene.double.sentEvents()));
    await closesSoon(store);
    await taken.return?.();
  });

  it('ends soon while the client is looking for a node, which takes long', async () => {
    const cluster = await startCluster(2);
    const open = stores();
    await cluster.close();
    const { store } = await open.serving(`${cluster.url}&maxDiscoverAttempts=10&discoveryInterval=50`, SHORT);
    expect(store.readiness().ready).to.equal(false);
    await closesSoon(store);
  });

  it('while an append is under way: it is waited for, in its time, and its answer is its own', async () => {
    const { store } = await scene.serving();
    const command = scene.command();
    scene.double.faults.holdAnswers(1);
    const underWay = append(command, stream, 'none', anEvent());
    await eventually('the append to be held', () => scene.double.faults.pending() === 0);
    const closing = command.close();
    const isClosed = isSettled(closing);
    await append(store, aStream(), 'none', anEvent());
    expect(isClosed()).to.equal(false);
    scene.double.faults.releaseAnswers();
    expect(await underWay).to.deep.equal({ revision: 0, position: String(scene.written(stream)[0]?.position) });
    await closing;
  });

  it('while an append gets no answer: it is given up in its time', async () => {
    const { store } = await scene.serving(SHORT);
    scene.double.faults.silence('append');
    const underWay = answer(store, stream, 'none', anEvent());
    await closesSoon(store);
    unavailableDetail(await underWay);
  });

  it('while an append is refused again and again: it is not sent anew', async () => {
    const store = scene.command({ withinMs: 60_000, pausesMs: [100, 100, 100] });
    const { faults } = scene.double;
    faults.refuseAppends(5, { _tag: 'Unavailable' });
    const underWay = answer(store, stream, 'none', anEvent());
    await eventually('the first try', () => faults.pending() === 4);
    await closesSoon(store);
    unavailableDetail(await underWay);
    expect(faults.pending()).to.equal(4);
  });
});
