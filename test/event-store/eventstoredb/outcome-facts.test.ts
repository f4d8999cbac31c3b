import { expect } from 'chai';
import type { StreamName } from '../../../src/domain/ids.ts';
import { appendWith, rejection, testEvent } from '../../support/eventstoredb/double-with-client.ts';
import { startEventStoreDbProcess } from '../../support/eventstoredb/event-store-db-process.ts';
import { anEvent } from '../../support/stored-events.ts';
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
  isSettled,
  lostRace,
  openScene,
  SHORT,
  SHORT_OVER_MS,
  stores,
  there,
  timed,
  unavailableDetail,
  WAIT_MS,
} from './store-scene.ts';
import type { StoreScene } from './store-scene.ts';

const UNAVAILABLE = { _tag: 'StoreUnavailable' };

describe('EventStoreDB facts: outcomes that are not known', () => {
  let scene: StoreScene;
  let stream: StreamName;
  beforeEach(async () => {
    scene = await openScene();
    stream = aStream();
  });
  afterEach(() => scene.close());

  it('GetSupportedMethods, the first call of a batch append, has no deadline: it is never made', async () => {
    const { faults, log } = scene.double;
    faults.silence('other');
    const batch = appendWith(scene.client())('batch', 'any', [testEvent()], { call: 'batch', deadline: 1 });
    const isOver = isSettled(batch);
    await append(scene.command(), stream, 'none', anEvent());
    await append((await scene.serving()).store, stream, at(0), anEvent());
    expect(isOver(), 'the batch append, whose deadline is long over').to.equal(false);
    expect(log.stream('batch')).to.equal(undefined);
    faults.dropConnections();
    await rejection(batch);
  });

  it('the unary append answers DeadlineExceeded after exactly its deadline, every time, and goes on when the server does', async () => {
    const { faults } = scene.double;
    const store = scene.command(SHORT);
    faults.silence('append');
    for (let i = 0; i < 3; i += 1) {
      const { tookMs, value } = await timed(() => answer(store, stream, 'none', anEvent()));
      expect(unavailableDetail(value)).to.match(/deadline/i);
      expect(tookMs).to.be.within(SHORT.withinMs - 10, SHORT_OVER_MS);
    }
    faults.speak();
    await append(store, stream, 'none', anEvent());
    expect(scene.written(stream)).to.have.length(1);
  });

  it('a silent server leaves nothing pending: an append ends in its time, with or without a subscription', async () => {
    const { store } = await scene.serving(SHORT);
    scene.double.faults.silence();
    for (const each of [store, scene.command(SHORT)]) {
      const { tookMs, value } = await timed(() =>
        Promise.all(Array.from({ length: 20 }, () => answer(each, aStream(), 'none', anEvent()))),
      );
      for (const one of value) expect(one).to.include(UNAVAILABLE);
      expect(tookMs).to.be.lessThan(SHORT_OVER_MS);
    }
  });

  it('a server that acknowledges and then reads nothing: the append ends in its time, its outcome unknown', async () => {
    const store = scene.command({ ...SHORT, quietMs: 60_000 });
    scene.double.faults.silence('read');
    const event = anEvent();
    const { tookMs, value } = await timed(() => answer(store, stream, 'none', event));
    expect(value).to.include(UNAVAILABLE);
    expect(tookMs).to.be.lessThan(SHORT_OVER_MS);
    expect(idsOf(scene.written(stream))).to.deep.equal([event.id]);
  });

  it('a stream error of one client rejects the batch appends of every client, and is no matter of these', async () => {
    const other = await openScene();
    try {
      const batch = { call: 'batch' } as const;
      await appendWith(scene.client())('batch', 'any', [testEvent()], batch);
      await appendWith(other.client())('batch', 'any', [testEvent()], batch);
      scene.double.faults.silenceAppends(1, { performed: true });
      scene.double.faults.holdAnswers(1);
      const bystander = appendWith(scene.client())('batch', 'any', [testEvent()], batch);
      await eventually('the batch append to be under way', () => scene.double.faults.pending() === 1);
      const unary = append(scene.command({ pausesMs: [] }), stream, 'none', anEvent());
      await eventually('the unary append to be under way', () => scene.double.faults.pending() === 0);
      other.double.faults.dropAfterAppends(1);
      const failing = appendWith(other.client())('batch', 'any', [testEvent()], batch);
      await Promise.all([rejection(failing), rejection(bystander)]);
      scene.double.faults.releaseAnswers();
      expect((await unary).revision).to.equal(0);
    } finally {
      await other.close();
    }
  });

  it('a late answer throws nothing: the append was given up, and the identical one is a success of the same event', async () => {
    const store = scene.command(SHORT);
    const event = anEvent();
    scene.double.faults.holdAnswers(1);
    expect(await answer(store, stream, 'none', event)).to.include(UNAVAILABLE);
    expect(scene.double.faults.releaseAnswers()).to.equal(1);
    expect(await append(store, stream, 'none', event)).to.include({ revision: 0 });
    expect(idsOf(scene.written(stream))).to.deep.equal([event.id]);
  });

  it('a duplicate whose original is not replicated yet gets no answer at all: unavailable in time, later the identical append is known', async () => {
    const store = scene.command(SHORT);
    const event = anEvent();
    scene.double.faults.silenceAppends(2, { performed: true });
    expect(await answer(store, stream, 'none', event)).to.include(UNAVAILABLE);
    expect(await answer(store, stream, 'none', event)).to.include(UNAVAILABLE);
    expect(await append(store, stream, 'none', event)).to.include({ revision: 0 });
    expect(scene.written(stream)).to.have.length(1);
  });

  for (const [how, performed] of [
    ['performed', true],
    ['not performed', false],
  ] as const) {
    it(`outcome unknown: a connection lost with the append ${how}, and the identical repeat makes one event`, async () => {
      const store = scene.command();
      await append(store, stream, 'none', anEvent());
      const event = anEvent();
      scene.double.faults.dropAfterAppends(1, { performed });
      expect(await append(store, stream, at(0), event)).to.deep.equal({
        revision: 1,
        position: String(scene.written(stream)[1]?.position),
      });
      expect(scene.double.faults.pending()).to.equal(0);
      expect(scene.written(stream)).to.have.length(2);
    });
  }

  it('performed and never answered: the append is known by the own subscription, long before its time is over', async () => {
    const { store } = await scene.serving({ withinMs: 20_000 });
    scene.double.faults.silenceAppends(1, { performed: true });
    const { tookMs, value } = await timed(() => append(store, stream, 'none', anEvent()));
    expect(value).to.deep.equal({ revision: 0, position: String(scene.written(stream)[0]?.position) });
    expect(tookMs).to.be.lessThan(WAIT_MS);
  });

  it('unanswered and not performed: unavailable in time, and the identical append later is written once', async () => {
    const { store } = await scene.serving(SHORT);
    const event = anEvent();
    scene.double.faults.silenceAppends(1, { performed: false });
    expect(await answer(store, stream, 'none', event)).to.include(UNAVAILABLE);
    expect(scene.written(stream)).to.have.length(0);
    expect(await append(store, stream, 'none', event)).to.include({ revision: 0 });
    expect(scene.written(stream)).to.have.length(1);
  });

  it('never refresh the revision: a repeat whose stream went on meanwhile has lost its race, and writes nothing', async () => {
    const store = scene.command({ pausesMs: [200, 200] });
    const [first, mine, others] = [anEvent(), anEvent(), anEvent()];
    await append(store, stream, 'none', first);
    scene.double.faults.refuseAppends(1, { _tag: 'Unavailable' });
    const repeated = answer(store, stream, at(0), mine);
    await eventually('the first try to be refused', () => scene.double.faults.pending() === 0);
    scene.double.log.write(there(stream), [{ ...others, contentType: 'application/json' }]);
    expect(await repeated).to.deep.equal(lostRace(at(1)));
    expect(idsOf(scene.written(stream))).to.deep.equal(idsOf([first, others]));
  });

  it('a killed server: what is under way ends, and the same store works again when the server is back', async () => {
    const { store } = await scene.serving(SHORT);
    const command = scene.command(SHORT);
    await append(store, stream, 'none', anEvent());
    scene.double.faults.silence();
    const underWay = [
      answer(store, aStream(), 'none', anEvent()),
      answer(command, aStream(), 'none', anEvent()),
      store.readStream(stream)(),
    ];
    await scene.double.stop();
    const ended = await within(WAIT_MS, Promise.all(underWay), 'what was under way to end');
    expect(JSON.stringify(ended).match(/StoreUnavailable/g)).to.have.length(3);
    scene.double.faults.speak();
    await scene.double.start();
    for (const each of [store, command]) {
      const event = anEvent();
      const to = aStream();
      await until(WAIT_MS, 'an append to succeed again', async () =>
        '_tag' in (await answer(each, to, 'none', event)) ? null : true,
      );
      expect(idsOf(scene.written(to))).to.deep.equal([event.id]);
    }
  });

  it('a frozen server (stopped process): appends end in their time, and go on when it does', async () => {
    const server = await startEventStoreDbProcess();
    const open = stores();
    try {
      const [{ store }, command] = [await open.serving(server.url, SHORT), open.command(server.url, SHORT)];
      await append(store, stream, 'none', anEvent());
      await append(command, stream, at(0), anEvent());
      server.freeze();
      for (const each of [store, command]) {
        const { tookMs, value } = await timed(() => answer(each, aStream(), 'none', anEvent()));
        expect(value).to.include(UNAVAILABLE);
        expect(tookMs).to.be.lessThan(SHORT_OVER_MS);
      }
      server.thaw();
      const events = [anEvent(), anEvent()];
      for (const [i, each] of [store, command].entries()) {
        await until(WAIT_MS, 'an append to succeed again', async () =>
          '_tag' in (await answer(each, stream, at(1 + i), events[i] ?? anEvent())) ? null : true,
        );
      }
      const all = idsOf(await allOf(command));
      expect(new Set(all).size).to.equal(all.length);
      expect(all).to.include.members(idsOf(events));
    } finally {
      server.thaw();
      await open.close();
      await server.end();
    }
  });
});
