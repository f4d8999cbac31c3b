import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { lookAtKeptLog } from '../../../src/composition/doctor/look-at-checkpoints.ts';
import { acceptLoss } from '../../../src/proofs/files/accepted-losses.ts';
import { eventsOf, IDENTITY, KeeperScene } from '../../proofs/keeper-scene.ts';

describe('what doctor sees of the checkpoints that are kept', () => {
  let scene: KeeperScene;
  beforeEach(() => {
    scene = new KeeperScene();
    scene.log = [...eventsOf(3)];
  });
  afterEach(() => scene.remove());
  const seenUnder = (origin: string) =>
    lookAtKeptLog({ dataDir: scene.path, logIdentity: { ...IDENTITY, origin }, witnesses: [] });

  it('names the log that signed here, where nothing was signed under the name of now', async () => {
    expect(seenUnder('log.example/other')).to.deep.equal({ _tag: 'NotSigned', otherName: null, last: undefined });
    await scene.keptUp();
    expect(seenUnder(IDENTITY.origin)._tag).to.equal('Signed');
    expect(seenUnder('log.example/other')).to.deep.include({ _tag: 'NotSigned', otherName: IDENTITY.origin });
  });

  it('names no log that ended with a loss', async () => {
    await scene.keptUp();
    const { to } = acceptLoss(scene.path, { at: scene.now, note: 'lost', from: IDENTITY.origin, size: 3 }, randomBytes);
    expect(seenUnder(to)).to.deep.equal({ _tag: 'NotSigned', otherName: null, last: undefined });
  });
});
