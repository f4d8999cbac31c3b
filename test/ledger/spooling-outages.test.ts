import { expect } from 'chai';
import { AWAY, of, SpoolingScene } from '../support/spooling-scene.ts';

describe('spooling: stores that are broken or silent', () => {
  let scene: SpoolingScene;
  beforeEach(async () => {
    scene = new SpoolingScene();
    await scene.start();
  });
  afterEach(() => scene.end());

  it('is ready while store or spool is', async () => {
    scene.readiness = { ready: false, detail: 'away' };
    expect(scene.spooling.readiness()).to.deep.equal({ ready: true });
  });

  it('tells that the store takes nothing, though it can be read, until it takes what waits', async () => {
    expect(scene.spooling.storeReadiness()).to.deep.equal({ ready: true });
    scene.failureOf = () => AWAY;
    expect(await scene.outcome(of('a'))).to.equal('spooled');
    expect(scene.spooling.storeReadiness()).to.deep.equal({ ready: false, detail: 'away' });
    expect(scene.spooling.readiness()).to.deep.equal({ ready: true });
    scene.failureOf = () => null;
    scene.spooling.storeIsBack();
    await scene.isDrained();
    expect(scene.spooling.storeReadiness()).to.deep.equal({ ready: true });
    scene.readiness = { ready: false, detail: 'broken' };
    expect(scene.spooling.storeReadiness()).to.deep.equal({ ready: false, detail: 'broken' });
  });

  it('spools at once what comes while the connection is broken, and asks again when it is there', async () => {
    scene.readiness = { ready: false, detail: 'broken' };
    scene.failureOf = () => AWAY;
    expect(await scene.outcome(of('a'))).to.equal('spooled');
    await scene.backsOff(1);
    // The spool alone has asked.
    expect(scene.asked).to.have.length(1);
    expect(await scene.outcome(of('b'))).to.equal('spooled');
    expect(scene.asked).to.have.length(1);
    scene.failureOf = () => null;
    scene.readiness = { ready: true };
    scene.spooling.storeIsBack();
    await scene.isDrained();
    expect(await scene.outcome(of('c'))).to.equal('recorded');
    expect(scene.events).to.deep.include({ _tag: 'StoreAway', detail: 'broken' });
  });

  it('asks a store that takes what it is sent, though the connection is said to be broken', async () => {
    scene.readiness = { ready: false, detail: 'reading is not allowed' };
    expect(await scene.outcome(of('a'))).to.equal('spooled');
    await scene.isDrained();
    expect(await scene.outcome(of('b'))).to.equal('recorded');
    expect(await scene.outcome(of('c'))).to.equal('recorded');
  });

  it('spools what a silent store has not answered in time, and counts it once when the answer comes after all', async () => {
    scene.answerWithinMs = 5;
    await scene.stop();
    await scene.start();
    const { promise, resolve } = Promise.withResolvers<void>();
    scene.gate = promise;
    expect(await scene.outcome(of('a'))).to.equal('spooled');
    expect(await scene.outcome(of('b'))).to.equal('spooled');
    await scene.isSo('the spool to ask too', () => scene.asked.length >= 3);
    resolve();
    await scene.isDrained();
    expect(scene.logged().toSorted()).to.deep.equal(['order-a OnRampFiatPending', 'order-b OnRampFiatPending']);
  });

  it('spools what the store has when the connection breaks, without waiting for its answer, and counts it once', async () => {
    scene.answerWithinMs = 600_000;
    await scene.stop();
    await scene.start();
    const { promise, resolve } = Promise.withResolvers<void>();
    scene.gate = promise;
    const answered = [scene.outcome(of('a')), scene.outcome(of('b'))];
    await scene.isSo('the store to be asked', () => scene.asked.length === 2);
    scene.spooling.storeIsBroken();
    expect(await Promise.all(answered)).to.deep.equal(['spooled', 'spooled']);
    resolve();
    await scene.isDrained();
    expect(scene.logged().toSorted()).to.deep.equal(['order-a OnRampFiatPending', 'order-b OnRampFiatPending']);
  });

  it('appends what became durable though its commit failed, without another delivery that would wake it', async () => {
    scene.failures = [AWAY];
    scene.losesCommits = true;
    const answered = await scene.outcome(of('a'));
    expect(answered).to.equal('StoreUnavailable');
    expect(scene.spool.holds('order-a')).to.equal(false);
    scene.losesCommits = false;
    await scene.isSo('it to be appended', () => scene.logged().length > 0);
    await scene.isDrained();
    expect(scene.logged()).to.deep.equal(['order-a OnRampFiatPending']);
    expect(await scene.outcome(of('a'))).to.equal('duplicate');
  });

  it('waits for a late answer where the spool has no room', async () => {
    scene.answerWithinMs = 5;
    await scene.stop();
    await scene.start(100);
    const { promise, resolve } = Promise.withResolvers<void>();
    scene.gate = promise;
    const late = scene.outcome(of('a'));
    await scene.isSo('the store to be asked', () => scene.asked.length === 1);
    await scene.isSo('the spool to refuse it', () => scene.refused === 1);
    resolve();
    expect(await late).to.equal('recorded');
  });
});
