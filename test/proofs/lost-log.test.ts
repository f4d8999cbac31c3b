import { readdirSync, truncateSync } from 'node:fs';
import { mock } from 'node:test';
import { expect } from 'chai';
import { TreeFiles } from '../../src/proofs/files/tree-files.ts';
import { treeFolder } from '../../src/proofs/files/tree-folder.ts';
import { eventAt, eventsOf, KeeperScene } from './keeper-scene.ts';

describe('the keeper of a log that lacks what was signed', () => {
  let scene: KeeperScene;
  beforeEach(() => {
    scene = new KeeperScene();
  });
  afterEach(() => scene.remove());

  it('signs nothing more for a log that lacks what was signed, nor for another one', async () => {
    scene.log = [...eventsOf(300)];
    await scene.keptUp();
    const signed = scene.kept().length;
    for (const [what, others] of [
      ['the last event gone', eventsOf(299)],
      ['all gone', []],
      ['another log', eventsOf(300, 'other')],
      ['another, longer log', eventsOf(400, 'other')],
      ['one in the middle gone, and another at the end', eventsOf(301).filter((_, i) => i !== 150)],
    ] as const) {
      scene.log = [...others];
      // Files that were made for the log before are no help.
      readdirSync(treeFolder(scene.path)).forEach((name) => truncateSync(`${treeFolder(scene.path)}/${name}`, 0));
      expect((await scene.keptUp())?._tag, what).to.equal('LogLost');
      expect((await scene.keptUp())?._tag, what).to.equal('LogLost');
    }
    expect(scene.kept().length).to.equal(signed);
    scene.log = [...eventsOf(310)];
    scene.expectSigned(await scene.keptUp(), scene.log);
  });

  it('finds out by the last event alone that the log was replaced by an older one that went on', async () => {
    scene.log = [...eventsOf(300)];
    await scene.keptUp();
    scene.log = [...eventsOf(290), ...eventsOf(320, 'later').slice(290)];
    expect((await scene.keptUp())?._tag).to.equal('LogLost');
  });

  it('finds out that the log was cut off where others still tell of what it had', async () => {
    scene.log = [...eventsOf(5)];
    await scene.keptUp();
    scene.log = [...eventsOf(3)];
    const keeper = scene.open();
    await keeper.start();
    keeper.reach(eventAt(4).position);
    await keeper.start();
    expect(scene.news.at(-1)?._tag).to.equal('LogLost');
    scene.log.push(eventAt(7, 'later'));
    keeper.take(eventAt(4), [eventAt(7, 'later')]);
    await keeper.close();
    expect(scene.news.at(-1)?._tag).to.equal('LogLost');
  });

  it('tells a loss once, and looks again once in an interval, however many events come meanwhile', async () => {
    scene.log = [...eventsOf(9)];
    await scene.keptUp();
    scene.log = [...eventsOf(3)];
    scene.stepMs = 0;
    mock.timers.enable({ apis: ['setTimeout'] });
    const written = mock.method(TreeFiles.prototype, 'writePositions');
    const keeper = scene.open();
    const take = (event: ReturnType<typeof eventAt>): void => {
      keeper.take(scene.log.at(-1) ?? null, [event]);
      scene.log.push(event);
    };
    try {
      await keeper.start();
      scene.news.length = 0;
      written.mock.resetCalls();
      for (const i of [3, 4, 5, 6]) take(eventAt(i, 'later'));
      expect(written.mock.callCount()).to.equal(0);
      mock.timers.tick(1_000);
      expect(written.mock.callCount()).to.equal(1);
      expect(scene.news).to.deep.equal([]);
      // Now it has as many as were signed, and they are others: that is told too, and once.
      for (const i of [7, 8, 9, 10]) take(eventAt(i, 'later'));
      mock.timers.tick(1_000);
      take(eventAt(11, 'later'));
      mock.timers.tick(1_000);
      expect(scene.news.map(({ _tag }) => _tag)).to.deep.equal(['LogLost']);
    } finally {
      written.mock.restore();
      mock.timers.reset();
      await keeper.close();
    }
  });
});
