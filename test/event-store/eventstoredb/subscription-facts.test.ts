import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import type { Position, StreamName } from '../../../src/domain/ids.ts';
import type { RecordedEvent } from '../../../src/domain/recorded-event.ts';
import type { EventStore } from '../../../src/event-store/event-store.ts';
import { eventLog } from '../../support/eventstoredb/event-log.ts';
import { right } from '../../support/right.ts';
import { anEvent, someEvents } from '../../support/stored-events.ts';
import { until } from '../../support/until.ts';
import { within } from '../../support/within.ts';
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
  there,
  unavailableDetail,
  WAIT_MS,
} from './store-scene.ts';
import type { StoreScene } from './store-scene.ts';

const MANY = 3_000;
/** The server reports a checkpoint of the ledger's filters for each so many records. */
const CHECKPOINT_EVERY = 64 * 32;

describe('EventStoreDB facts: subscriptions', () => {
  let scene: StoreScene;
  let stream: StreamName;
  beforeEach(async () => {
    scene = await openScene({ log: eventLog({ statisticsEvery: Infinity }) });
    stream = aStream();
  });
  afterEach(() => scene.close());

  /** Past the protocol: quickly, and also while the server is away. */
  const write = (to: string, count: number): readonly string[] =>
    idsOf(
      scene.double.log.write(
        to,
        Array.from({ length: count }, () => proposed()),
      ),
    );

  /** Follows a log until a Left, from which it ends; what it gave, and that Left. */
  const followed = async (
    store: EventStore,
    after: Position | null,
    given: RecordedEvent[],
    { signal } = new AbortController(),
  ): Promise<E.Either<unknown, unknown>> => {
    for await (const batch of store.subscribe(after, signal)) {
      if (E.isLeft(batch)) return batch;
      given.push(...batch.right);
    }
    return E.right('ended without a word');
  };

  it('confirmation, then events, live events: what others append is shown, and is the head', async () => {
    write(there(stream), 2);
    const { store, shown, states } = await scene.serving();
    expect(states).to.deep.equal([null]);
    expect(right(await store.head()())).to.equal(String(scene.written(stream)[1]?.position));
    const [id] = write(there(stream), 1);
    await eventually('the live event', () => shown.length > 0);
    expect(idsOf(shown)).to.deep.equal([id]);
    expect(right(await store.head()())).to.equal(shown[0]?.position);
  });

  it('a subscription that the server ends cleanly just stops iterating: it is a Left, from which one resumes without a gap or a repeat', async () => {
    const store = scene.command();
    const ids = [...write(there(stream), 5)];
    const given: RecordedEvent[] = [];
    for (let ends = 0; ends < 3; ends += 1) {
      const ended = followed(store, given.at(-1)?.position ?? null, given);
      await eventually('all to be given', () => given.length === ids.length);
      ids.push(...write(there(stream), 1));
      await eventually('the live event', () => given.length === ids.length);
      scene.double.faults.endSubscriptions();
      unavailableDetail(E.toUnion(await within(WAIT_MS, ended, 'the end')));
      ids.push(...write(there(stream), 1));
    }
    expect(idsOf(given)).to.deep.equal(ids.slice(0, -1));
  });

  it('treat the end as a drop, and subscribe again from the last position: the own subscription misses nothing of the time between', async () => {
    const { store, shown, states } = await scene.serving();
    const ids: string[] = [];
    const drops = [scene.double.faults.endSubscriptions, scene.double.faults.dropConnections];
    for (const drop of [...drops, ...drops]) {
      ids.push(...write(there(stream), 1));
      await eventually('the live event', () => shown.length === ids.length);
      const known = states.length;
      drop();
      await eventually('the drop to be noticed', () => states.length > known);
      ids.push(...write(there(stream), 2));
      await eventually('what came between', () => shown.length === ids.length);
      expect(states.slice(known).filter((state) => state === null)).to.have.length(1);
    }
    expect(idsOf(shown)).to.deep.equal(ids);
    expect(right(await store.head()())).to.equal(shown.at(-1)?.position);
  });

  it('subscriptions emit error and are dead: a Left, and the own one is back by itself with the server', async () => {
    const { store, shown, states } = await scene.serving(SHORT);
    const ended = followed(scene.command(SHORT), null, []);
    await eventually('two subscriptions', () => scene.double.openReads() === 2 && store.readiness().ready);
    const before = states.length;
    await scene.double.stop();
    unavailableDetail(E.toUnion(await within(WAIT_MS, ended, 'the error')));
    await eventually('the own one to say so', () => !store.readiness().ready);
    expect(JSON.stringify(store.readiness())).to.match(/EventStoreDB: /);
    const missed = write(there(stream), 2);
    await scene.double.start();
    await eventually('the own one to be back', () => store.readiness().ready && shown.length === 2);
    expect(idsOf(shown)).to.deep.equal(missed);
    expect([states.at(before - 1), typeof states.at(before), states.at(-1)]).to.deep.equal([null, 'string', null]);
  });

  it('a ledger that starts while the server is away shows everything from the head that it then finds', async () => {
    await scene.double.stop();
    write(there(stream), 2);
    const { store, shown, states } = await scene.serving(SHORT);
    expect(store.readiness().ready).to.equal(false);
    expect(states.every((state) => typeof state === 'string')).to.equal(true);
    await scene.double.start();
    await eventually('the subscription to stand', () => store.readiness().ready);
    expect(right(await store.head()())).to.equal(String(scene.written(stream)[1]?.position));
    const ids = write(there(stream), 2);
    await eventually('both events', () => shown.length === 2);
    expect(idsOf(shown)).to.deep.equal(ids);
  });

  it('a call that is taken and never answered: a subscription that is not confirmed is given up and asked for again', async () => {
    const { store, shown } = await scene.serving(SHORT);
    scene.double.faults.silence('subscription');
    scene.double.faults.endSubscriptions();
    await eventually('the end to be noticed', () => !store.readiness().ready);
    await eventually('a call that waits', () => scene.double.openReads() === 1);
    await eventually('it to be given up', () => scene.double.openReads() === 0);
    const missed = write(there(stream), 1);
    scene.double.faults.speak();
    await eventually('the subscription to stand again', () => store.readiness().ready && shown.length === 1);
    expect(idsOf(shown)).to.deep.equal(missed);
  });

  it('a stream without an error listener throws uncaught: connections that drop under many reads harm nothing', async () => {
    const { store } = await scene.serving(SHORT);
    const { position } = await append(store, stream, 'none', anEvent());
    const readsAgain = (): Promise<unknown> =>
      until(WAIT_MS, 'a read', async () => E.getOrElseW(() => null)(await store.readStream(stream)()));
    for (let round = 0; round < 5; round += 1) {
      await readsAgain();
      const abort = new AbortController();
      const reads = Promise.all(
        Array.from({ length: 20 }, () =>
          Promise.all([store.readStream(stream)(), store.readAt([position])(), followed(store, null, [], abort)]),
        ),
      );
      await eventually('the reads to be under way', () => scene.double.openReads() >= 20);
      scene.double.faults.dropConnections();
      abort.abort();
      await within(WAIT_MS, reads, 'every read to end');
    }
    await readsAgain();
    await eventually('the own subscription to be back', () => store.readiness().ready);
  });

  it('a filter that matches nothing reports checkpoints only: reads to an end still end', async () => {
    const { store } = await scene.serving();
    write(there(stream), MANY);
    const read = Promise.all([
      store.listStreams('quarantine-')(),
      scene.command().listStreams('order-there-is-none')(),
    ]);
    expect((await within(WAIT_MS, read, 'the end')).map(right)).to.deep.equal([[], []]);
  });

  it('a checkpoint has prepare 0 while catching up: it lies before the event whose position it names, which is still given', async () => {
    write('others-1', CHECKPOINT_EVERY - scene.double.log.length());
    const ids = write(there(stream), 1);
    write('others-1', CHECKPOINT_EVERY);
    expect(scene.written(stream)[0]?.index).to.equal(CHECKPOINT_EVERY);
    for (let i = 0; i < 2; i += 1) expect(idsOf(await allOf(scene.command()))).to.deep.equal(ids);
  });

  it('checkpointReached runs ahead of a for await consumer: what is read to an end ends only once everything before it was given', async () => {
    const ids = write(there(stream), MANY);
    write('others-1', 3 * CHECKPOINT_EVERY);
    const given: string[] = [];
    for await (const event of scene.command().readAll(null)) {
      given.push(right(event).id);
      // As slow as one that writes.
      if (given.length % 50 === 0) await new Promise(setImmediate);
    }
    expect(given).to.deep.equal(ids);
  });

  it('a slow consumer loses nothing: thousands of events wait', async () => {
    const ids = [...write(there(stream), MANY)];
    const given: string[] = [];
    const abort = new AbortController();
    for await (const batch of scene.command().subscribe(null, abort.signal)) {
      if (given.length === 0) ids.push(...write(there(stream), MANY));
      given.push(...idsOf(right(batch)));
      await new Promise(setImmediate);
      if (given.length === ids.length) abort.abort();
    }
    expect(given).to.deep.equal(ids);
  });

  it('an append is the head at once, and is shown once', async () => {
    const { store, shown } = await scene.serving();
    const [first, ...rest] = someEvents(20);
    const appended = [await append(store, stream, 'none', first)];
    for (const [i, event] of rest.entries()) {
      appended.push(await append(store, stream, at(i), event));
      expect(right(await store.head()())).to.equal(appended.at(-1)?.position);
    }
    await eventually('all to be shown', () => shown.length === appended.length);
    expect(shown.map((event) => event.position)).to.deep.equal(appended.map((each) => each.position));
  });
});
