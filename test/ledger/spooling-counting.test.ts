import { expect } from 'chai';
import { turns } from '../event-store/spool/spool-scene.ts';
import { of, SpoolingScene } from '../support/spooling-scene.ts';

describe('spooling: what waited when the ledger starts is still being counted', () => {
  let scene: SpoolingScene;
  let goOn: () => void = () => undefined;
  beforeEach(async () => {
    scene = new SpoolingScene();
    await scene.start();
    await scene.spooled(['one', 'two', 'three', 'one'].map((id, i) => of(id, `status ${i}`)));
    await scene.stop();
    scene.failureOf = () => null;
    [scene.events, scene.asked] = [[], []];
    const { promise, resolve } = Promise.withResolvers<void>();
    goOn = resolve;
    scene.counting = { rowsAtOnce: 1, beforeRows: () => promise };
  });
  afterEach(async () => {
    goOn();
    await scene.end();
  });

  it('spools whatever comes unasked, appends what is counted in order, and says that the spool is empty once it is', async () => {
    await scene.start();
    expect(await scene.outcome(of('one', 'status 4'))).to.equal('spooled');
    expect(await scene.outcome(of('new'))).to.equal('spooled');
    await scene.isSo('the first to be appended', () => scene.logged().length === 1);
    await turns();
    expect(scene.spooling.state()).to.include({ isCounting: true });
    expect(scene.asked).to.have.length(1);
    expect(scene.types()).to.not.include('Drained');
    goOn();
    await scene.isSo('all to be counted', () => !scene.spooling.state().isCounting);
    await scene.isDrained();
    await scene.isSo('it to be said', () => scene.types().includes('Drained'));
    const ofOne = scene.logged().filter((line) => line.startsWith('order-one '));
    expect(ofOne).to.have.length(3);
    expect(scene.logged()).to.have.length(6);
    expect(scene.events.filter(({ _tag }) => _tag === 'Drained')).to.deep.equal([{ _tag: 'Drained', deliveries: 6 }]);
    expect(await scene.outcome(of('later'))).to.equal('recorded');
  });

  it('takes none where the spool has no room, though the store is there, and says so', async () => {
    await scene.start(1_500);
    expect(await scene.outcome(of('new'))).to.equal('StoreUnavailable');
    expect(scene.spooling.readiness()).to.have.property('ready', false);
    goOn();
    await scene.isDrained();
    await scene.isSo('all to be counted', () => !scene.spooling.state().isCounting);
    expect(scene.spooling.readiness()).to.deep.equal({ ready: true });
    expect(await scene.outcome(of('new'))).to.equal('recorded');
  });
});
