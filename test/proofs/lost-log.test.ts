import { readdirSync, truncateSync } from 'node:fs';
import { expect } from 'chai';
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
});
