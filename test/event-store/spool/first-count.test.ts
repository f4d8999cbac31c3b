import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { readSpoolState } from '../../../src/event-store/spool/read-spool-state.ts';
import { right } from '../../support/right.ts';
import { CountingScene } from './counting-scene.ts';
import { delivery, left, NOTE, turns } from './spool-scene.ts';

const SEVEN = ['a', 'b', 'c', 'd', 'a', 'e', 'f'];

describe('a spool that holds much when it is opened', () => {
  let scene: CountingScene;
  beforeEach(async () => {
    scene = new CountingScene();
    await scene.holds(SEVEN);
  });
  afterEach(() => scene.end());

  /** The number of the first that waits of a key; its turn is over then. */
  const taken = async (key: string): Promise<number | null> => {
    const first = right(await scene.kept(scene.spool.firstOf(key)));
    if (first === null) return null;
    scene.spool.done(first);
    return Number(first.verified.requestId.slice('request-'.length));
  };

  it('is open and takes deliveries when its keeper has answered once, whatever is still to be counted', async () => {
    await scene.open();
    expect(scene.keeper.asked()).to.deep.equal(['NextRows']);
    const { isCounting, depth, setAside, oldestReceivedAt, ready } = scene.spool.state();
    expect({ isCounting, depth, setAside }).to.deep.equal({ isCounting: true, depth: 2, setAside: 0 });
    expect(oldestReceivedAt).to.equal(delivery(1).receivedAt);
    expect(ready).to.deep.equal({ ready: true });
    expect(scene.spool.holds('never seen'), 'any may wait').to.equal(true);
    const kept = scene.spool.put(delivery(8), 'new')();
    await turns();
    // One slice, and the write behind it.
    await scene.answers(2);
    right(await kept);
    expect(scene.spool.state()).to.include({ isCounting: true, depth: 5 });
    await scene.counted();
    expect(scene.spool.state()).to.include({ isCounting: false, depth: 8 });
    expect(right(readSpoolState(scene.file))).to.include({ bytes: scene.spool.state().bytes });
    expect(scene.spool.holds('never seen')).to.equal(false);
    expect([...scene.spool.keys()]).to.deep.equal(['a', 'b', 'c', 'd', 'e', 'f', 'new']);
    expect(scene.news).to.deep.equal([]);
  });

  it('gives the first of each key that is counted, and what came since only behind all that waited before', async () => {
    await scene.open();
    const puts = [scene.spool.put(delivery(8), 'a')(), scene.spool.put(delivery(9), 'f')()];
    await turns();
    expect(scene.keeper.asked()).to.deep.equal(['NextRows', 'Write']);
    const first = scene.spool.firstOf('a')();
    await scene.answers(3);
    for (const put of puts) right(await put);
    const one = right(await first) ?? expect.fail('nothing is counted');
    expect(one.verified).to.deep.equal(delivery(1));
    scene.spool.done(one);
    expect(right(await scene.spool.firstOf('f')()), 'the first of it is not counted').to.equal(null);
    expect(right(await scene.spool.firstOf('a')()), 'nor is the next').to.equal(null);
    await scene.counted();
    const order = [await taken('a'), await taken('a'), await taken('a'), await taken('f'), await taken('f')];
    expect(order).to.deep.equal([5, 8, null, 7, 9]);
  });

  it('tells whoever empties it of each slice, and of the end', async () => {
    await scene.open();
    let told = 0;
    scene.spool.onWaiting(() => {
      told += 1;
    });
    await scene.answers(1);
    expect(told).to.equal(1);
    await scene.counted();
    expect(told).to.equal(3);
  });

  it('says about how much it takes, by what is used of its file, until that is known', async () => {
    await scene.open();
    const { bytes } = scene.spool.state();
    const known = right(readSpoolState(scene.file))?.bytes ?? 0;
    expect(bytes).to.be.within(known / 2, known * 5);
    await scene.counted();
    expect(scene.spool.state().bytes).to.equal(known);
  });

  it('stops counting when it is closed, and lets go of its file', async () => {
    await scene.open();
    const kept = scene.spool.put(delivery(8), 'a')();
    await turns();
    const closing = scene.spool.close();
    await scene.answers(1);
    expect(scene.keeper.asked(), 'nothing more of the count').to.deep.equal(['Write']);
    await scene.answers(1);
    right(await kept);
    await closing;
    expect(scene.news).to.deep.equal([]);
  });

  it('goes on with the count where a slice could not be read at present', async () => {
    await scene.open();
    scene.keeper.isBusy();
    await turns();
    expect(scene.spool.state().ready).to.have.property('ready', false);
    expect(scene.keeper.asked()).to.deep.equal([]);
    for (let i = 0; i < 2; i += 1) await scene.pass();
    expect(scene.spool.state()).to.deep.include({ isCounting: false, depth: 7, ready: { ready: true } });
    expect(scene.news).to.deep.equal([]);
  });

  it('counts anew in one piece where its thread dies meanwhile, keeps nothing until then, and loses and doubles nothing', async () => {
    await scene.open();
    right(await scene.kept(scene.spool.put(delivery(8), 'a')));
    const underWay = scene.spool.put(delivery(9), 'a')();
    await turns();
    scene.keeper.dies(9);
    left(await underWay);
    await turns();
    expect(scene.news).to.deep.equal([{ _tag: 'Uncounted', detail: 'thread spool has ended' }]);
    expect(scene.spool.holds('never seen')).to.equal(true);
    expect(E.isLeft(await scene.kept(scene.spool.put(delivery(10), 'b')))).to.equal(true);
    for (let i = 0; i < 2; i += 1) await scene.pass();
    expect(scene.spool.state()).to.deep.include({ isCounting: false, depth: 9, ready: { ready: true } });
    const order = [];
    for (let n = await taken('a'); n !== null; n = await taken('a')) order.push(n);
    expect(order).to.deep.equal([1, 5, 8, 9]);
    expect(scene.news.filter(({ _tag }) => _tag === 'Vanished')).to.deep.equal([]);
  });

  it('keeps a body that was set aside once, also where the count has not come to it', async () => {
    scene.byHand("INSERT INTO set_aside (seq, problem, at) VALUES (7, 'refused', '2026-01-01T00:00:00.000Z')");
    await scene.open();
    const again = scene.spool.putAside(delivery(7), 'f', NOTE)();
    await turns();
    expect(scene.keeper.asked(), 'it waits for the count').to.deep.equal(['NextRows']);
    await scene.counted();
    right(await again);
    expect(scene.spool.state()).to.include({ depth: 6, setAside: 1 });
    expect(right(await scene.kept(scene.spool.setAsideEntries()))).to.have.length(1);
  });

  it('leaves out what somebody took out by hand meanwhile, and says so once, at the end', async () => {
    await scene.open();
    scene.byHand('DELETE FROM deliveries WHERE seq <= 2');
    for (const key of ['a', 'b']) {
      const first = scene.spool.firstOf(key)();
      await turns();
      await scene.answers(1 + scene.keeper.asked().indexOf('Read'));
      expect(right(await first)).to.equal(null);
    }
    expect(scene.news).to.deep.equal([]);
    await scene.counted();
    expect(scene.news).to.deep.equal([{ _tag: 'Vanished', deliveries: 2, keys: ['a', 'b'] }]);
    expect(scene.spool.state()).to.include({ depth: 5 });
    expect(await taken('a')).to.equal(5);
  });
});
