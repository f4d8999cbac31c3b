import { expect } from 'chai';
import { branded } from '../../src/domain/brand.ts';
import type { StreamName } from '../../src/domain/ids.ts';
import type { RecordFailure } from '../../src/ledger/recorded.ts';
import { right } from '../support/right.ts';
import { AWAY, isOf, of, SpoolingScene } from '../support/spooling-scene.ts';

const REFUSED: RecordFailure = { _tag: 'AppendRefused', detail: 'too large' };

describe('spooling: what alone can not be appended', () => {
  let scene: SpoolingScene;
  beforeEach(async () => {
    scene = new SpoolingScene();
    await scene.start();
  });
  afterEach(() => scene.end());

  it('sets aside what the store refuses for good, before and in the spool, and nobody waits for it', async () => {
    scene.failures = [REFUSED];
    expect(await scene.outcome(of('a'))).to.equal('spooled');
    expect(scene.spooling.state()).to.deep.include({ depth: 0, setAside: 1 });
    scene.failures = [AWAY, REFUSED];
    expect(await scene.outcome(of('b'))).to.equal('spooled');
    expect(await scene.outcome(of('c'))).to.match(/^(spooled|recorded)$/);
    await scene.isDrained();
    const asides = right(await scene.spool.setAsideEntries()());
    expect(asides.map(({ key }) => key)).to.deep.equal(['order-a', 'order-b']);
    expect(asides.map(({ problem }) => problem)).to.deep.equal(
      Array.from({ length: 2 }, () => 'the event store refused it for good: too large'),
    );
    expect(scene.events.filter(({ _tag }) => _tag === 'SetAside')).to.have.length(2);
    expect(scene.logged()).to.deep.equal(['order-c OnRampFiatPending']);
  });

  for (const failure of [AWAY, { _tag: 'RacesLost', stream: branded<StreamName>('order-bad') } as const]) {
    it(`passes by what alone can not be appended, and keeps its order: ${failure._tag}`, async () => {
      const others = Array.from({ length: 100 }, (_, i) => `good ${i}`);
      await scene.spooled([of('bad'), of('bad', 'completed'), ...others.map((id) => of(id)), of('bad', 'refunded')]);
      scene.onlyFails('bad', failure);
      await scene.goesOnUntil('the others to be appended', () => scene.logged().length === others.length);
      expect(scene.logged().toSorted()).to.deep.equal(others.map((id) => `order-${id} OnRampFiatPending`).toSorted());
      expect(scene.spool.state().depth).to.equal(3);
      expect(await scene.outcome(of('bad', 'refunding'))).to.equal('spooled');
      scene.failureOf = () => null;
      await scene.goesOnUntil('the spool to be empty', () => scene.spool.state().depth === 0);
      expect(scene.logged().slice(others.length)).to.deep.equal(
        ['FiatPending', 'Completed', 'Refunded', 'Refunding'].map((status) => `order-bad OnRamp${status}`),
      );
      expect(scene.spool.state().setAside).to.equal(0);
    });
  }

  it('asks the store for the others, while one in the spool alone can not be appended', async () => {
    await scene.spooled([of('bad'), of('good')]);
    scene.onlyFails('bad');
    await scene.goesOnUntil('the other to be appended', () => scene.logged().length === 1);
    await scene.goesOnUntil('the next try', () => scene.asked.filter((one) => isOf(one, 'bad')).length > 4);
    const told = scene.types().length;
    for (let i = 0; i < 5; i += 1) {
      expect(await scene.outcome(of(`live ${i}`))).to.equal('recorded');
      scene.goOn();
    }
    expect(scene.types().slice(told)).to.deep.equal([]);
  });

  it('sets aside what fails for long while the store takes others, and names it', async () => {
    const bad = of('bad');
    await scene.spooled([bad, of('bad', 'completed')]);
    scene.onlyFails('bad');
    const tries = (): number => scene.asked.filter(({ verified }) => verified === bad.verified).length;
    const before = tries();
    for (let i = 0; scene.spool.state().setAside === 0; i += 1) {
      expect(await scene.outcome(of(`live ${i}`))).to.match(/^(?:recorded|spooled)$/);
      const triedBefore = scene.asked.length;
      await scene.goesOnUntil(
        'another try',
        () => scene.asked.length > triedBefore || scene.spool.state().setAside > 0,
      );
      expect(i, 'it is never set aside').to.be.below(200);
      if (i === 10)
        scene.failureOf = (delivery) => (delivery.verified.bodySha256 === bad.verified.bodySha256 ? AWAY : null);
    }
    expect(scene.asked.length - before).to.be.above(20);
    const [entry] = right(await scene.spool.setAsideEntries()());
    expect(entry).to.include({ key: 'order-bad', bodySha256: bad.verified.bodySha256 });
    expect(entry?.problem).to.match(/^the event store took others, and not this one in 20 tries: .*away/);
    await scene.goesOnUntil('the spool to be empty', () => scene.spool.state().depth === 0);
    expect(scene.logged()).to.include('order-bad OnRampCompleted').and.not.include('order-bad OnRampFiatPending');
    expect(scene.events.filter(({ _tag }) => _tag === 'SetAside')).to.have.length(1);
  });

  it('sets nothing aside while the store is away, however long, and tries one at a time', async () => {
    await scene.spooled(Array.from({ length: 10 }, (_, i) => of(`order ${i}`)));
    await scene.backsOff(1);
    const { promise, resolve } = Promise.withResolvers<void>();
    const tries = scene.asked.length + 100;
    while (scene.asked.length < tries) {
      const before = scene.asked.length;
      await scene.goesOnUntil('another try', () => scene.asked.length > before);
      expect(scene.asked.length).to.equal(before + 1);
    }
    scene.gate = promise;
    const before = scene.asked.length;
    await scene.goesOnUntil('another try', () => scene.asked.length > before);
    for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate);
    expect(scene.asked.length).to.equal(before + 1);
    resolve();
    scene.failureOf = () => null;
    await scene.goesOnUntil('the spool to be empty', () => scene.spool.state().depth === 0);
    expect(scene.spool.state().setAside).to.equal(0);
    expect(scene.logged()).to.have.length(10);
  });
});
