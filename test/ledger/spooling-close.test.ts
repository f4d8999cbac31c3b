import { expect } from 'chai';
import { bodyOf } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { AWAY, deliveryOf, of, SpoolingScene } from '../support/spooling-scene.ts';

describe('spooling: ends and restarts', () => {
  let scene: SpoolingScene;
  beforeEach(async () => {
    scene = new SpoolingScene();
    await scene.start();
  });
  afterEach(() => scene.end());

  it('goes on after a restart, with the original received time', async () => {
    scene.failures = [AWAY, AWAY];
    const delivery = deliveryOf(bodyOf('no JSON'));
    expect(right(await scene.spooling.record(delivery)())).to.deep.equal({ outcome: 'spooled', orderId: null });
    await scene.backsOff(1);
    await scene.stop();
    await scene.start();
    await scene.isDrained();
    const [event] = scene.store.recorded();
    expect(event?.type).to.equal('DeliveryQuarantined');
    expect(event?.metadata).to.include(delivery.verified.receivedAt).and.include(delivery.verified.requestId);
  });

  it('waits for the one under way when it is closed, and leaves the others', async () => {
    scene.failures = [AWAY, AWAY];
    await scene.outcome(of('a'));
    await scene.backsOff(1);
    await scene.outcome(of('b'));
    const { promise, resolve } = Promise.withResolvers<void>();
    scene.gate = promise;
    scene.goOn();
    await scene.isSo('the second try', () => scene.asked.length === 3);
    let isClosed = false;
    const closed = scene.spooling.close().then(() => {
      isClosed = true;
      return isClosed;
    });
    await new Promise(setImmediate);
    expect(isClosed).to.equal(false);
    resolve();
    await closed;
    expect(scene.logged()).to.deep.equal(['order-a OnRampFiatPending']);
    expect(scene.spool.state().depth).to.equal(1);
    await scene.spool.close();
    await scene.start();
    await scene.isDrained();
    expect(scene.logged()).to.have.length(2);
  });

  it('does not wait for a store that does not answer when it is closed, and finds what it left', async () => {
    scene.failures = [AWAY, AWAY];
    await scene.outcome(of('a'));
    await scene.backsOff(1);
    const { promise, resolve } = Promise.withResolvers<void>();
    scene.gate = promise;
    scene.goOn();
    await scene.isSo('the second try', () => scene.asked.length === 3);
    const closed = scene.spooling.close();
    await scene.backsOff(2);
    scene.goOn();
    await closed;
    await scene.spool.close();
    resolve();
    await scene.start();
    await scene.isDrained();
    expect(scene.logged()).to.deep.equal(['order-a OnRampFiatPending']);
  });

  it('knows from what waited before a restart that the store is away', async () => {
    await scene.spooled([of('a')]);
    await scene.stop();
    [scene.events, scene.waits] = [[], []];
    await scene.start();
    await scene.backsOff(1);
    expect(scene.types()).to.deep.equal(['StoreAway']);
    const before = scene.asked.length;
    expect(await scene.outcome(of('b'))).to.equal('spooled');
    expect(scene.asked.length).to.equal(before);
  });

  it('stops backing off when it is closed', async () => {
    scene.failures = [AWAY, AWAY];
    await scene.outcome(of('a'));
    await scene.backsOff(1);
    await scene.stop();
    expect(scene.asked).to.have.length(2);
    expect(scene.store.recorded()).to.deep.equal([]);
    await scene.start();
    await scene.isDrained();
  });
});
