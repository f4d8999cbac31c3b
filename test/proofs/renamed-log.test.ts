import { readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readLosses } from '../../src/proofs/files/accepted-losses.ts';
import { noteLogBegun } from '../../src/proofs/files/begun-here.ts';
import { checkpointsFile } from '../../src/proofs/files/kept-checkpoints.ts';
import type { KeeperNews } from '../../src/proofs/keeper-news.ts';
import { eventsOf, IDENTITY } from './keeper-scene.ts';
import { RenamedScene } from './renamed-scene.ts';

const [FORMER, OTHER, THIRD] = [IDENTITY.origin, 'log.example/other', 'log.example/third'] as const;

describe('a log that goes by another name than before', () => {
  let scene: RenamedScene;
  beforeEach(async () => {
    scene = new RenamedScene();
    scene.log = [...eventsOf(6)];
    await scene.keptUnder(FORMER);
  });
  afterEach(() => scene.remove());

  const expectSigned = (told: KeeperNews | undefined, origin: string | undefined, size: number): void => {
    expect(told).to.deep.include({ _tag: 'LogSigned', origin, size });
  };
  const expectLost = (told: KeeperNews | undefined, detail: RegExp): void => {
    expect(told?._tag === 'LogLost' ? told.detail : JSON.stringify(told)).to.match(detail);
  };
  const ended = () => readLosses(scene.path).map(({ from, size }) => [from, size]);

  it('signs nothing where it lacks what was signed under the former one, until somebody accepts that', async () => {
    scene.log = [...eventsOf(4)];
    for (let starts = 0; starts < 2; starts += 1) {
      expect(scene.seenUnder(OTHER)).to.deep.include({ _tag: 'NotSigned', otherName: FORMER, inLog: false });
      expectLost(
        await scene.keptUnder(OTHER),
        /^a checkpoint of 6 events was signed under log\.example\/1, and the log has 4$/,
      );
      expect(scene.sizes(OTHER)).to.deep.equal([]);
      expect(await scene.problems(OTHER)).to.deep.equal(['checkpoint-beyond-log']);
    }
    const to = (await scene.acceptedUnder(OTHER)) ?? expect.fail('nothing was lost');
    expectSigned(scene.news.at(-1), to, 4);
    expect(ended()).to.deep.equal([
      [OTHER, 0],
      [FORMER, 6],
    ]);
    // Neither name comes to life again, and the log is held to neither.
    for (const origin of [OTHER, FORMER, to]) expectSigned(await scene.keptUnder(origin), to, 4);
    expect(await scene.problems(to)).to.deep.equal([]);
    expect(scene.seenUnder(to)).to.deep.include({ _tag: 'Signed', inLog: true, size: 4 });
    expectSigned(await scene.keptUnder(THIRD), THIRD, 4);
  });

  it('signs nothing where other events are there instead', async () => {
    scene.log = [...eventsOf(4), ...eventsOf(9, 'later').slice(4)];
    expect(scene.seenUnder(OTHER)).to.deep.include({ inLog: false });
    expectLost(await scene.keptUnder(OTHER), /first 6 events .* not those of .* signed under log\.example\/1$/);
    expect(await scene.problems(OTHER)).to.deep.equal(['checkpoint-not-in-log']);
  });

  it('goes on signing, and is held to both, where it lacks nothing', async () => {
    expect(scene.seenUnder(OTHER)).to.deep.equal({
      _tag: 'NotSigned',
      otherName: FORMER,
      inLog: true,
      treeLacks: false,
    });
    expectSigned(await scene.keptUnder(OTHER), OTHER, 6);
    scene.log = [...eventsOf(9)];
    expectSigned(await scene.keptUnder(OTHER), OTHER, 9);
    expect(await scene.acceptedUnder(OTHER)).to.equal(undefined);
    expect(await scene.problems(OTHER)).to.deep.equal([]);
    expect(scene.seenUnder(OTHER)).to.deep.include({ _tag: 'Signed', inLog: true, size: 9, otherName: null });
    // Nothing is read again for it, nor is the log lost, where the former name comes back.
    expectSigned(await scene.keptUnder(FORMER), FORMER, 9);
    expect(await scene.problems(FORMER)).to.deep.equal([]);
  });

  it('is held to what was signed last, under a name that was given up since', async () => {
    scene.log = [...eventsOf(9)];
    await scene.keptUnder(OTHER);
    scene.log = [...eventsOf(7)];
    expect(scene.seenUnder(FORMER)).to.deep.include({ _tag: 'Signed', size: 6, inLog: false, otherName: OTHER });
    expectLost(await scene.keptUnder(FORMER), /of 9 events was signed under log\.example\/other, and the log has 7/);
    expect(await scene.problems(FORMER)).to.deep.equal(['checkpoint-beyond-log']);
    expect(scene.sizes(FORMER)).to.deep.equal([6]);
    scene.log = [...eventsOf(10)];
    expectSigned(await scene.keptUnder(FORMER), FORMER, 10);
  });

  it('is found where an earlier version signed it all the same, and then both names end', async () => {
    const [file, keys] = [checkpointsFile(scene.path, FORMER), join(scene.path, 'log-keys')];
    const before = readFileSync(keys, 'utf8');
    renameSync(file, `${file}-aside`);
    rmSync(keys);
    noteLogBegun(scene.path, { ...IDENTITY, origin: OTHER });
    scene.log = [...eventsOf(4)];
    await scene.keptUnder(OTHER);
    renameSync(`${file}-aside`, file);
    writeFileSync(keys, before + readFileSync(keys, 'utf8'));
    expect(scene.seenUnder(OTHER)).to.deep.include({ _tag: 'Signed', size: 4, inLog: false, otherName: FORMER });
    expect(await scene.problems(OTHER)).to.deep.equal(['checkpoint-beyond-log']);
    expectLost(await scene.keptUnder(OTHER), /signed under log\.example\/1/);
    const to = await scene.acceptedUnder(OTHER);
    expectSigned(scene.news.at(-1), to, 4);
    expect(ended()).to.deep.equal([
      [OTHER, 4],
      [FORMER, 6],
    ]);
  });

  it('ends no former name of which it lacks nothing', async () => {
    scene.log = [...eventsOf(9)];
    await scene.keptUnder(OTHER);
    scene.log = [...eventsOf(8)];
    const to = (await scene.acceptedUnder(OTHER)) ?? expect.fail('nothing was lost');
    expect(ended()).to.deep.equal([[OTHER, 9]]);
    scene.log = [...eventsOf(5)];
    expectLost(await scene.keptUnder(to), /of 8 events was signed, and/);
    await scene.acceptedUnder(to);
    expect(ended()).to.deep.equal([
      [OTHER, 9],
      [to, 8],
      [FORMER, 6],
    ]);
  });

  it('signs nothing where what was signed under the former one is no longer kept, until somebody accepts that', async () => {
    scene.log = [...eventsOf(4)];
    truncateSync(checkpointsFile(scene.path, FORMER));
    expect(scene.seenUnder(OTHER)._tag).to.equal('Gone');
    expectLost(await scene.keptUnder(OTHER), /^log\.example\/1 has signed checkpoints, .* put that file back/);
    expect(await scene.problems(OTHER)).to.deep.equal(['checkpoints-gone']);
    const to = (await scene.acceptedUnder(OTHER)) ?? expect.fail('nothing was lost');
    expect(ended()).to.deep.equal([
      [OTHER, 0],
      [FORMER, 0],
    ]);
    expectSigned(await scene.keptUnder(to), to, 4);
    expect(scene.seenUnder(to)._tag).to.equal('Signed');
  });

  it('goes on, where the file of what another name signed is gone, under one that nothing was signed under', async () => {
    const second = `${FORMER}/2`;
    scene.log = [...eventsOf(9)];
    await scene.keptUnder(second);
    rmSync(checkpointsFile(scene.path, second));
    scene.log = [...eventsOf(6), ...eventsOf(9, 'later').slice(6)];
    expectLost(await scene.keptUnder(FORMER), /^log\.example\/1\/2 has signed checkpoints, .* put that file back/);
    const to = (await scene.acceptedUnder(FORMER)) ?? expect.fail('nothing was lost');
    expect([FORMER, second]).to.not.include(to);
    expectSigned(scene.news.at(-1), to, 9);
    expect(scene.sizes(second)).to.deep.equal([]);
    // A name that ended does not come to life again.
    for (const origin of [FORMER, second]) expectSigned(await scene.keptUnder(origin), to, 9);
  });

  it('is held to the name in a file of checkpoints, where that of the keys is gone', async () => {
    rmSync(join(scene.path, 'log-keys'));
    scene.log = [...eventsOf(4)];
    expect(scene.seenUnder(OTHER)).to.deep.include({ _tag: 'NotSigned', otherName: FORMER, inLog: false });
    expect(await scene.problems(OTHER)).to.deep.equal(['checkpoint-beyond-log']);
    expectLost(await scene.keptUnder(OTHER), /^a checkpoint of 6 events was signed under log\.example\/1, and/);
    scene.log = [...eventsOf(7)];
    expectSigned(await scene.keptUnder(OTHER), OTHER, 7);
  });
});
