import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkpointsSeen, lookAtKeptLog } from '../../../src/composition/doctor/look-at-checkpoints.ts';
import type { ExaminedLog } from '../../../src/doctor/examined-log.ts';
import { acceptLoss } from '../../../src/proofs/files/accept-loss.ts';
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
    expect(seenUnder('log.example/other')).to.deep.equal({
      _tag: 'NotSigned',
      otherName: null,
      last: undefined,
      lacked: [],
    });
    await scene.keptUp();
    expect(seenUnder(IDENTITY.origin)._tag).to.equal('Signed');
    expect(seenUnder('log.example/other')).to.deep.include({ _tag: 'NotSigned', otherName: IDENTITY.origin });
  });

  const examined = (isWhole: boolean): ExaminedLog => ({
    _tag: 'Read',
    about: '',
    newest: scene.log.toReversed(),
    isWhole,
    included: null,
    signed: null,
  });

  it('holds the log itself to what was signed where the tree is damaged, as far as its events are read', async () => {
    await scene.keptUp();
    truncateSync(join(scene.path, 'log-tree', 'hashes-0'));
    const seen = (isWhole: boolean) => checkpointsSeen(seenUnder(IDENTITY.origin), examined(isWhole));
    expect(seen(true)).to.deep.include({ inLog: true, treeLacks: true });
    expect(seen(false)).to.deep.include({ inLog: null, treeLacks: true });
    expect(checkpointsSeen(seenUnder(IDENTITY.origin), { _tag: 'NotThere' })).to.deep.include({ inLog: false });
    // Behind what was signed there may be more.
    scene.log = [...eventsOf(5)];
    expect(seen(true)).to.deep.include({ inLog: true });
    scene.log = [...eventsOf(2)];
    expect(seen(true)).to.deep.include({ inLog: false });
    scene.log = [...eventsOf(2), ...eventsOf(3, 'other').slice(2)];
    expect(seen(true)).to.deep.include({ inLog: false });
    scene.log = [];
    expect(seen(true)).to.deep.include({ inLog: false });
  });

  it('says nothing of a tree in whose place a file is', async () => {
    await scene.keptUp();
    rmSync(join(scene.path, 'log-tree'), { recursive: true });
    writeFileSync(join(scene.path, 'log-tree'), '');
    expect(checkpointsSeen(seenUnder(IDENTITY.origin), examined(true))).to.deep.include({
      inLog: null,
      treeLacks: false,
    });
  });

  it('names the line of a file that is no checkpoint, and what brings it back', async () => {
    await scene.keptUp();
    const name = readdirSync(scene.path).find((file) => file.startsWith('checkpoints-')) ?? expect.fail('none');
    const file = join(scene.path, name);
    writeFileSync(file, `x\n${readFileSync(file, 'utf8')}`);
    expect(seenUnder(IDENTITY.origin)).to.deep.equal({
      _tag: 'Unreadable',
      detail: `line 1 of ${file} is no checkpoint`,
      cure: 'put that file back from a backup; where there is none, take the line out, and hold the log to a checkpoint that somebody outside has kept (ramp-ledger verify --checkpoint FILE)',
    });
  });

  it('names no log that ended with a loss', async () => {
    await scene.keptUp();
    const { to } = acceptLoss(scene.path, { at: scene.now, note: 'lost', from: IDENTITY.origin, size: 3 }, randomBytes);
    expect(seenUnder(to)).to.deep.equal({ _tag: 'NotSigned', otherName: null, last: undefined, lacked: [] });
  });
});
