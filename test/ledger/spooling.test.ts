import Database from 'better-sqlite3';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { branded } from '../../src/domain/brand.ts';
import type { Delivery } from '../../src/domain/delivery.ts';
import type { StreamName } from '../../src/domain/ids.ts';
import { bodyOf } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { AWAY, deliveryOf, isOf, of, SpoolingScene } from '../support/spooling-scene.ts';

describe('spooling', () => {
  let scene: SpoolingScene;
  beforeEach(async () => {
    scene = new SpoolingScene();
    await scene.start();
  });
  afterEach(() => scene.end());

  it('asks the store, and spools only what that can not take', async () => {
    expect(await scene.outcome(of('a'))).to.equal('recorded');
    scene.failures = [AWAY, AWAY];
    const waiting = of('b');
    expect(right(await scene.spooling.record(waiting)())).to.deep.equal({ outcome: 'spooled', orderId: 'b' });
    await scene.backsOff(1);
    // The store was asked for it, and again by the spool; another one is spooled unasked.
    const before = scene.asked.length;
    expect(before).to.equal(3);
    expect(await scene.outcome(of('c'))).to.equal('spooled');
    expect(scene.asked.length).to.equal(before);
    expect(scene.types()).to.deep.equal(['StoreAway']);
    scene.goOn();
    await scene.isDrained();
    await scene.isSo('the end', () => scene.types().includes('Drained'));
    expect(scene.events.slice(1)).to.deep.equal([{ _tag: 'StoreBack' }, { _tag: 'Drained', deliveries: 2 }]);
    expect(scene.logged()).to.deep.equal(['a', 'b', 'c'].map((id) => `order-${id} OnRampFiatPending`));
    expect(await scene.outcome(of('d'))).to.equal('recorded');
  });

  it('an order that waits keeps spooling, also when the store is back', async () => {
    scene.failures = [AWAY, { _tag: 'RacesLost', stream: branded<StreamName>('order-a') }];
    expect(await scene.outcome(of('a', 'fiatPending'))).to.equal('spooled');
    await scene.backsOff(1);
    // The store has answered, if only with a lost race: it is there.
    expect(scene.types()).to.deep.equal(['StoreAway', 'StoreBack']);
    expect(await scene.outcome(of('a', 'completed'))).to.equal('spooled');
    expect(await scene.outcome(of('b'))).to.equal('recorded');
    scene.goOn();
    await scene.isDrained();
    expect(scene.logged().slice(1)).to.deep.equal(['order-a OnRampFiatPending', 'order-a OnRampCompleted']);
    expect(await scene.outcome(of('a', 'refunded'))).to.equal('recorded');
  });

  it('appends many at once, and of one order, or one body, one at a time', async () => {
    const nameless = deliveryOf(bodyOf('no JSON'));
    const same = (): Delivery => deliveryOf(bodyOf('no JSON'));
    const statuses = ['orderReceived', 'InProgress', 'fiatReceived', 'completed'];
    await scene.spooled([nameless, same(), ...statuses.map((status) => of('one', status))]);
    for (let i = 0; i < 100; i += 1) await scene.outcome(of(`order ${i}`));
    await scene.stop();
    const { promise, resolve } = Promise.withResolvers<void>();
    [scene.gate, scene.asked, scene.failureOf] = [promise, [], () => null];
    await scene.start();
    await scene.isSo('64 on their way', () => scene.asked.length === 64);
    for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate);
    expect(scene.asked).to.have.length(64);
    expect(scene.asked.filter((one) => isOf(one, 'one'))).to.have.length(1);
    expect(scene.asked.filter(({ content }) => content._tag === 'Unreadable')).to.have.length(1);
    resolve();
    await scene.isDrained();
    expect(scene.logged().filter((line) => line.startsWith('order-one '))).to.deep.equal(
      ['OrderReceived', 'InProgress', 'FiatReceived', 'Completed'].map((status) => `order-one OnRamp${status}`),
    );
    expect(scene.logged()).to.have.length(105);
  });

  it('is not durable where the spool has no room, and says both reasons', async () => {
    await scene.stop();
    await scene.start(100);
    scene.failures = [AWAY];
    const notDurable = await scene.spooling.record(of('a'))();
    expect(notDurable).to.deep.equal(
      E.left({ _tag: 'StoreUnavailable', detail: 'away; the spool: spool.db holds 0 of at most 100 bytes' }),
    );
    scene.readiness = { ready: false, detail: 'away' };
    expect(scene.spooling.readiness()).to.deep.equal({
      ready: false,
      detail: 'away; the spool: spool.db holds 0 of at most 100 bytes',
    });
    // Nothing waits that would find the store back: the next one asks itself.
    expect(await scene.outcome(of('a'))).to.equal('recorded');
  });

  it('tells once that the spool has no room, and once that it has', async () => {
    await scene.stop();
    await scene.start(6_000);
    scene.failureOf = () => AWAY;
    const fits = of('fits');
    const long = (id: string): Delivery => deliveryOf(bodyOf(id.repeat(7_000)));
    for (const one of [long('a'), long('b'), fits, of('fits too'), long('c')]) await scene.spooling.record(one)();
    expect(scene.types()).to.deep.equal(['StoreAway', 'SpoolRefuses', 'SpoolTakes', 'SpoolRefuses']);
    expect(scene.events[1])
      .to.have.property('detail')
      .that.matches(/ of at most 6000 bytes$/);
    scene.failureOf = () => null;
    scene.goOn();
    await scene.isDrained();
    // The store takes them: what comes of the spool is told anew when it is away again.
    scene.failureOf = () => AWAY;
    await scene.spooling.record(long('d'))();
    expect(scene.types().slice(4)).to.deep.equal(['StoreBack', 'Drained', 'StoreAway', 'SpoolRefuses']);
  });

  it('tries what can not be read again, and lets deliveries ask the store meanwhile', async () => {
    scene.failures = [AWAY, AWAY];
    await scene.outcome(of('a'));
    await scene.backsOff(1);
    await scene.stop();
    await scene.start();
    // Before its first turn: nothing of it is in memory but keys and counts.
    const other = new Database(scene.file());
    other.exec('ALTER TABLE deliveries RENAME TO elsewhere');
    await scene.isSo('the failure', () => scene.types().includes('SpoolUnreadable'));
    expect(await scene.outcome(of('b'))).to.equal('recorded');
    expect(scene.spool.holds('order-a')).to.equal(true);
    other.exec('ALTER TABLE elsewhere RENAME TO deliveries');
    other.close();
    await scene.isSo('the spool to be empty', () => {
      scene.goOn();
      return scene.spool.state().depth === 0;
    });
    expect(scene.logged()).to.include('order-a OnRampFiatPending');
  });
});
