import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import type { StreamName } from '../../../src/domain/ids.ts';
import type { NewEvent } from '../../../src/domain/recorded-event.ts';
import type { EventStore } from '../../../src/event-store/event-store.ts';
import { startCluster, type ClusterDouble } from '../../support/eventstoredb/cluster.ts';
import { appendWith, rejection, testEvent } from '../../support/eventstoredb/double-with-client.ts';
import type { ClusterNode } from '../../support/eventstoredb/event-store-db-double.ts';
import { right } from '../../support/right.ts';
import { anEvent, someEvents } from '../../support/stored-events.ts';
import { until } from '../../support/until.ts';
import { within } from '../../support/within.ts';
import {
  allOf,
  answer,
  append,
  aStream,
  at,
  eventually,
  idsOf,
  lostRace,
  openScene,
  SHORT,
  SHORT_OVER_MS,
  stores,
  there,
  timed,
  unavailableDetail,
  WAIT_MS,
  type Stores,
} from './store-scene.ts';

describe('EventStoreDB facts: cluster', () => {
  let cluster: ClusterDouble;
  let open: Stores;
  let stream: StreamName;
  beforeEach(async () => {
    cluster = await startCluster(3);
    open = stores();
    stream = aStream();
  });
  afterEach(async () => {
    await open.close();
    await cluster.close();
  });

  const QUICK = '&maxDiscoverAttempts=2&discoveryInterval=10';
  const node = (place: number): ClusterNode => {
    const found = cluster.nodes[place];
    if (found === undefined) throw new Error(`no node ${place}`);
    return found;
  };
  const written = (of: StreamName): readonly string[] => idsOf(cluster.log.stream(there(of))?.events ?? []);
  const all = (what: 'start' | 'stop'): Promise<unknown> => Promise.all(cluster.nodes.map((each) => each[what]()));
  /** The identical append, until it succeeds. */
  const persistent = (
    store: EventStore,
    to: StreamName,
    expected: number | 'none',
    event: NewEvent,
  ): Promise<unknown> =>
    until(WAIT_MS, 'an append to succeed', async () => {
      const given = await answer(store, to, expected === 'none' ? expected : at(expected), event);
      if ('_tag' in given) unavailableDetail(given);
      return '_tag' in given ? null : given;
    });

  it('a new leader knows no recent ids: a repeat at its exact revision is still found', async () => {
    const store = open.command(cluster.url + QUICK);
    const [first, second] = [anEvent(), anEvent()];
    const appended = [await append(store, stream, 'none', first), await append(store, stream, at(0), second)];
    cluster.elect(node(1));
    await node(0).stop();
    const repeated = [await persistent(store, stream, 'none', first), await persistent(store, stream, 0, second)];
    expect(repeated).to.deep.equal(appended);
    expect(written(stream)).to.deep.equal(idsOf([first, second]));
  });

  it('leader killed: appends go on after it, and with the identical retry none is lost, none doubled', async () => {
    const { store } = await open.serving(cluster.url + QUICK, { ...SHORT, withinMs: 1_000 });
    const writers = Array.from({ length: 5 }, () => ({ to: aStream(), events: someEvents(20) }));
    let acknowledged = 0;
    const writing = Promise.all(
      writers.map(async ({ to, events }) => {
        for (const [i, event] of events.entries()) {
          await persistent(store, to, i === 0 ? 'none' : i - 1, event);
          acknowledged += 1;
        }
      }),
    );
    for (const [killed, next, after] of [
      [0, 1, 25],
      [1, 2, 60],
    ] as const) {
      await eventually('some appends', () => acknowledged >= after);
      node(killed).faults.dropAfterAppends(1);
      await node(killed).stop();
      cluster.elect(node(next));
      await node(killed).start();
    }
    await within(WAIT_MS, writing, 'all appends');
    for (const { to, events } of writers) expect(written(to)).to.deep.equal(idsOf(events));
    expect(await allOf(open.command(cluster.url))).to.have.length(100);
  });

  it('"Failed to discover" is a plain error without a code: unavailable in time, and the same client works again when nodes are back', async () => {
    const store = open.command(cluster.url + QUICK, SHORT);
    await append(store, stream, 'none', anEvent());
    await all('stop');
    const given = [
      await answer(store, stream, at(0), anEvent()),
      E.toUnion(await store.readStream(stream)()),
      E.toUnion(await store.head()()),
    ];
    expect(given.map(unavailableDetail).join()).to.match(/Failed to discover/);
    await all('start');
    await persistent(store, stream, 0, anEvent());
    expect(right(await store.readStream(stream)())).to.have.length(2);
  });

  it('the deadline does not hold for the discovery of a node: appends and reads end in time all the same', async () => {
    const store = open.command(`${cluster.url}&maxDiscoverAttempts=50&discoveryInterval=100`, SHORT);
    await all('stop');
    const event = anEvent();
    const { tookMs, value } = await timed(() =>
      Promise.all([
        answer(store, stream, 'none', event),
        store.readStream(stream)().then(E.toUnion),
        store.head()().then(E.toUnion),
      ]),
    );
    value.map(unavailableDetail);
    expect(tookMs).to.be.lessThan(SHORT_OVER_MS);
    // The client goes on with what was given up; the identical append is the same event all the same.
    await all('start');
    await persistent(store, stream, 'none', event);
    expect(written(stream)).to.deep.equal([event.id]);
  });

  it('a poisoned client answers every later batch append with its failed look-up: these appends are no batch ones', async () => {
    const client = open.client(cluster.url + QUICK);
    const batch = (): Promise<unknown> => appendWith(client)('batch', 'any', [testEvent()], { call: 'batch' });
    const store = open.command(cluster.url + QUICK, SHORT);
    await all('stop');
    expect((await rejection(batch())).message).to.match(/^Failed to discover/);
    unavailableDetail(await answer(store, stream, 'none', anEvent()));
    await all('start');
    expect((await rejection(batch())).message).to.match(/^Failed to discover/);
    await persistent(store, stream, 'none', anEvent());
    expect((await rejection(batch())).message).to.match(/^Failed to discover/);
  });

  it('a cold client sends out of order: appends of one stream wait for each other by their revisions', async () => {
    const single = await openScene();
    try {
      single.double.faults.reverseAppends(3);
      const [first, second, third] = [anEvent(), anEvent(), anEvent()];
      const store = single.command();
      const answers = await Promise.all([
        answer(store, stream, 'none', first),
        answer(store, stream, at(0), second),
        answer(store, stream, at(1), third),
      ]);
      expect(answers[0]).to.include({ revision: 0 });
      // They came before what they were decided on: nothing of them was written, and they are decided again.
      for (const each of answers.slice(1)) expect([lostRace('none'), lostRace(at(0))]).to.deep.include(each);
      expect(idsOf(single.written(stream))).to.deep.equal([first.id]);
    } finally {
      await single.close();
    }
  });

  it('without a quorum: errors, and nothing that was not acknowledged is told as written', async () => {
    const { store } = await open.serving(cluster.url + QUICK, SHORT);
    const [first, second] = [anEvent(), anEvent()];
    await append(store, stream, 'none', first);
    cluster.elect(null);
    for (let i = 0; i < 2; i += 1) unavailableDetail(await answer(store, stream, at(0), second));
    expect(written(stream)).to.deep.equal([first.id]);
    cluster.elect(node(1));
    await persistent(store, stream, 0, second);
    expect(written(stream)).to.deep.equal(idsOf([first, second]));
  });

  it('requiresLeader on a follower is NotLeaderError with leader: a read goes there by itself, whatever it reads', async () => {
    const event = anEvent();
    const { position } = await append(open.command(node(0).url), stream, 'none', event);
    const follower = (): EventStore => open.command(node(1).url);
    node(1).lagBehind(1_000);
    expect(idsOf(right(await follower().readStream(stream)()))).to.deep.equal([event.id]);
    expect(idsOf(right(await follower().readAt([position])()))).to.deep.equal([event.id]);
    expect(right(await follower().head()())).to.equal(position);
    expect(right(await follower().parsePosition(position)())).to.equal(position);
    expect(right(await follower().listStreams('order-')())).to.deep.equal([stream]);
    expect(idsOf(await allOf(follower()))).to.deep.equal([event.id]);
  });

  it('a URL with one node talks to that node, follower or not: it forwards appends, and the ledger reads at the leader', async () => {
    node(2).lagBehind(1_000);
    const store = open.command(node(2).url);
    for (let i = 0; i < 5; i += 1) {
      const [to, event] = [aStream(), anEvent()];
      await append(store, to, 'none', event);
      expect(idsOf(right(await store.readStream(to)()))).to.deep.equal([event.id]);
      expect(written(to)).to.deep.equal([event.id]);
    }
  });

  it("reads at a follower miss one's own write: what is read to an end reaches the head, though the follower lags", async () => {
    const { store, shown } = await open.serving(node(0).url, { seenWithinMs: WAIT_MS });
    cluster.elect(node(1));
    // Each is seen, so that nothing is read, and the client stays with the node that leads no more.
    const events = someEvents(5);
    for (const [i, event] of events.entries()) await append(store, stream, i === 0 ? 'none' : at(i - 1), event);
    await eventually('all to be shown', () => shown.length === events.length);
    node(0).lagBehind(3);
    expect(idsOf(await allOf(store))).to.deep.equal(idsOf(events));
  });

  it("reads there miss one's own write: an append is read back at the leader, and known while the subscription lags", async () => {
    const { store, shown } = await open.serving(node(0).url, { seenWithinMs: 20 });
    cluster.elect(node(1));
    node(0).lagBehind(1_000);
    const event = anEvent();
    const { position } = await append(store, stream, 'none', event);
    expect([written(stream), shown]).to.deep.equal([[event.id], []]);
    // What the subscription has not shown yet is the head all the same.
    expect(right(await store.head()())).to.equal(position);
    expect(await answer(store, stream, 'none', anEvent({ id: event.id }))).to.deep.equal(lostRace(at(0)));
  });

  it('nothing escapes to the process where every node dies under many calls, again and again', async () => {
    const { store } = await open.serving(cluster.url + QUICK, SHORT);
    const command = open.command(cluster.url + QUICK, SHORT);
    for (let round = 0; round < 3; round += 1) {
      for (const each of cluster.nodes) each.faults.silence('append');
      const calls = Array.from({ length: 20 }, (_, i) => {
        const by = i % 2 === 0 ? store : command;
        return Promise.all([answer(by, aStream(), 'none', anEvent()), by.readStream(stream)(), by.head()()]);
      });
      await all('stop');
      await within(WAIT_MS, Promise.all(calls), 'every call to end');
      for (const each of cluster.nodes) each.faults.clear();
      await all('start');
      await persistent(command, aStream(), 'none', anEvent());
    }
  });

  it('nothing escapes to the process where a read was given up before the look for a node failed', async () => {
    const store = open.command(`${cluster.url}&maxDiscoverAttempts=5&discoveryInterval=50`, {
      ...SHORT,
      withinMs: 5_000,
      pausesMs: [],
      quietMs: 20,
    });
    await all('stop');
    unavailableDetail(E.toUnion(await store.readStream(stream)()));
    // The look goes on, and fails: an append that waits for it is told.
    expect(unavailableDetail(await answer(store, stream, 'none', anEvent()))).to.match(/Failed to discover/);
  });

  it('nothing escapes to the process where a call of the old channel fails while the look for a new node fails', async () => {
    const store = open.command(`${cluster.url}&maxDiscoverAttempts=2&discoveryInterval=100`, {
      ...SHORT,
      withinMs: WAIT_MS,
      pausesMs: [],
      quietMs: 5_000,
    });
    await append(store, stream, 'none', anEvent());
    await Promise.all([node(1).stop(), node(2).stop()]);
    const ended = (async () => {
      for await (const batch of store.subscribe(null, new AbortController().signal)) if (E.isLeft(batch)) return batch;
      return null;
    })();
    await eventually('the subscription', () => node(0).openReads() === 1);
    // The refusal makes the client leave the channel that the subscription is on; the read makes it look for a node.
    node(0).faults.silence('other');
    node(0).faults.refuseAppends(1, { _tag: 'Unavailable' });
    unavailableDetail(await answer(store, stream, at(0), anEvent()));
    const reading = store.readStream(stream)();
    await new Promise(setImmediate);
    await node(0).stop();
    unavailableDetail(E.toUnion((await within(WAIT_MS, ended, 'the subscription to end')) ?? E.right(null)));
    expect(unavailableDetail(E.toUnion(await reading))).to.match(/Failed to discover/);
  });

  it('esdb+discover:// asks only the first address of its list: of a list after esdb:// the others are asked too', async () => {
    await node(0).stop();
    cluster.elect(node(2));
    const store = open.command(cluster.url);
    await append(store, stream, 'none', anEvent());
    expect(written(stream)).to.have.length(1);
  });
});
