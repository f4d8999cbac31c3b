import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mock } from 'node:test';
import { expect } from 'chai';
import { instantOf } from '../../src/domain/instant.ts';
import type { RecordedEvent } from '../../src/domain/recorded-event.ts';
import { signedCheckpoint } from '../../src/proofs/checkpoint.ts';
import { TreeFiles } from '../../src/proofs/files/tree-files.ts';
import { KeptCheckpoints } from '../../src/proofs/files/kept-checkpoints.ts';
import { treeFolder } from '../../src/proofs/files/tree-folder.ts';
import { until } from '../support/until.ts';
import { openFilesOf } from '../support/open-files.ts';
import { naiveRoot } from './naive-tree.ts';
import { eventAt, eventsOf, IDENTITY, KeeperScene, rootOf } from './keeper-scene.ts';

describe('the keeper of a log', () => {
  let scene: KeeperScene;
  beforeEach(() => {
    scene = new KeeperScene();
  });
  afterEach(() => scene.remove());

  it('signs what is there, the empty log too, and what is taken behind it', async () => {
    const keeper = scene.open();
    await keeper.start();
    scene.expectSigned(scene.news.at(-1), []);
    let before: RecordedEvent | null = null;
    for (const count of [1, 2, 300, 17, 700]) {
      const batch = eventsOf(scene.log.length + count).slice(scene.log.length);
      scene.log.push(...batch);
      keeper.take(before, batch);
      // The first batch of a subscription has nothing before it: the log is read.
      if (before === null) await keeper.start();
      before = batch.at(-1) ?? before;
      scene.expectSigned(scene.news.at(-1), scene.log);
    }
    await keeper.close();
    expect(scene.news.every(({ _tag }) => _tag === 'LogSigned')).to.equal(true);
  });

  it('reads up to where it is told that the log goes, be it level or still reading', async () => {
    const keeper = scene.open();
    await keeper.start();
    scene.log = [...eventsOf(3)];
    keeper.reach(eventAt(2).position);
    await keeper.start();
    scene.expectSigned(scene.news.at(-1), eventsOf(3));
    const reading = keeper.start();
    scene.log.push(eventAt(3));
    keeper.reach(eventAt(3).position);
    await reading;
    scene.expectSigned(scene.news.at(-1), eventsOf(4));
    keeper.reach(eventAt(1).position);
    await keeper.close();
    scene.expectSigned(scene.news.at(-1), eventsOf(4));
  });

  for (const [what, then] of [
    ['not even at its end', () => undefined],
    ['nor what it is handed', (keeper) => keeper.take(eventAt(2), eventsOf(400).slice(3))],
    [
      'nor what it would read',
      async (keeper) => {
        keeper.doubt();
        await keeper.start();
      },
    ],
  ] as const satisfies readonly (readonly [string, (keeper: ReturnType<KeeperScene['open']>) => unknown])[])
    it(`writes and signs nothing more where the folder may be another ledger’s, ${what}`, async () => {
      const keeper = scene.open();
      scene.log = [...eventsOf(2)];
      await keeper.start();
      keeper.take(null, [eventAt(1)]);
      await keeper.start();
      // What comes now waits to be signed.
      scene.stepMs = 1;
      scene.log.push(eventAt(2));
      keeper.take(eventAt(1), [eventAt(2)]);
      const folder = (): readonly string[] =>
        readdirSync(scene.path, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ parentPath, name }) => readFileSync(join(parentPath, name)).toString('base64'));
      const [files, told] = [folder(), scene.news.length];
      scene.lost = 'ledger.lock was removed';
      await then(keeper);
      await keeper.close();
      expect(folder()).to.deep.equal(files);
      expect(scene.news.length).to.equal(told);
    });

  it('writes nothing more of a long log that it reads as the folder becomes another ledger’s', async () => {
    scene.log = [...eventsOf(1_100)];
    const keeper = scene.open(IDENTITY, () => {
      scene.lost = 'ledger.lock was removed';
      return Promise.resolve();
    });
    await keeper.start();
    await keeper.close();
    expect(scene.kept()).to.deep.equal([]);
    expect(readFileSync(join(treeFolder(scene.path), 'positions')).length).to.be.at.most(512 * 8);
  });

  it('gives way between the pieces of a long log, and ends where it is closed meanwhile', async () => {
    scene.log = [...eventsOf(1_100)];
    let given = 0;
    const whole = scene.open(IDENTITY, async () => {
      given += 1;
    });
    await whole.start();
    scene.expectSigned(scene.news.at(-1), scene.log);
    expect(given).to.equal(2);
    await whole.close();

    const more = eventsOf(2_300);
    scene.log = [...more];
    let ending = Promise.resolve();
    const closed = scene.open(IDENTITY, () => {
      ending = closed.close();
      return Promise.resolve();
    });
    await closed.start();
    await ending;
    expect(scene.kept().at(-1)?.size).to.equal(1_100);
  });

  it('tells of a log that can not be read, and not where it ends since the keeper is closed', async () => {
    scene.log = [...eventsOf(3)];
    await scene.keptUp();
    scene.news = [];
    const away = scene.open();
    scene.away = { _tag: 'StoreUnavailable', detail: 'it is gone' };
    await away.start();
    await away.close();
    expect(scene.news).to.deep.equal([{ _tag: 'LogFailed', detail: 'it is gone', isOutage: true }]);

    scene.away = null;
    scene.news = [];
    const closed = scene.open();
    const reading = closed.start();
    const closing = closed.close();
    scene.away = { _tag: 'StoreUnavailable', detail: 'it is closed' };
    await Promise.all([reading, closing]);
    expect(scene.news).to.deep.equal([]);
  });

  it('reads what it was not given, in whatever order things happen', async () => {
    scene.log = [...eventsOf(600)];
    const keeper = scene.open();
    const started = keeper.start();
    const late = eventsOf(605).slice(600);
    scene.log.push(...late);
    keeper.take(eventAt(599), late);
    await started;
    scene.expectSigned(scene.news.at(-1), scene.log);
    // A batch that is behind a gap, and one that was taken already in part.
    scene.log.push(...eventsOf(620).slice(605));
    keeper.take(eventAt(609), scene.log.slice(610));
    await keeper.start();
    scene.expectSigned(scene.news.at(-1), scene.log);
    scene.log.push(...eventsOf(625).slice(620));
    keeper.take(eventAt(614), scene.log.slice(615));
    scene.expectSigned(scene.news.at(-1), scene.log);
    await keeper.close();
  });

  it('goes on where it was, whatever of the files was lost or spoiled meanwhile', async () => {
    const treeFile = (name: string): string => `${treeFolder(scene.path)}/${name}`;
    const spoil: readonly (() => void)[] = [
      () => undefined,
      () => appendFileSync(treeFile('hashes-0'), 'written and never signed'),
      () => truncateSync(treeFile('hashes-0'), 32 * 5),
      () => truncateSync(treeFile('positions'), 8),
      () => writeFileSync(treeFile('hashes-1'), Buffer.alloc(32)),
      () => readdirSync(treeFolder(scene.path)).forEach((name) => truncateSync(treeFile(name), 0)),
      () =>
        appendFileSync(
          `${scene.path}/${readdirSync(scene.path).find((name) => name.startsWith('checkpoints-'))}`,
          '{"note":"cut o',
        ),
    ];
    for (const [i, spoiled] of spoil.entries()) {
      scene.log = [...eventsOf(300 * (i + 1))];
      scene.expectSigned(await scene.keptUp(), scene.log);
      spoiled();
      // The same tree signs the same note.
      scene.expectSigned(await scene.keptUp(), scene.log);
    }
    const sizes = scene.kept().map(({ size }) => size);
    expect(sizes).to.deep.equal([...new Set(sizes)]);
  });

  it('keeps one tree of each size where the disk fails between, whatever of it could not be written', async () => {
    const files = Object.getOwnPropertyDescriptors(TreeFiles.prototype);
    const checkpoints = Object.getOwnPropertyDescriptors(KeptCheckpoints.prototype);
    const full = (): never => {
      throw new Error('the disk is full');
    };
    const failures: readonly (() => void)[] = [
      () => (TreeFiles.prototype.write = full),
      () => {
        // A part of the hashes is written.
        TreeFiles.prototype.write = function (this: TreeFiles, level, count, hashes) {
          files.write.value?.call(this, level, count, hashes.subarray(0, hashes.length / 2));
          full();
        };
      },
      () => {
        // The leaves are written, and the level above them is not.
        TreeFiles.prototype.write = function (this: TreeFiles, ...args) {
          if (args[0] > 0) full();
          files.write.value?.apply(this, args);
        };
      },
      () => (TreeFiles.prototype.writePositions = full),
      () => (TreeFiles.prototype.sync = full),
      () => (KeptCheckpoints.prototype.add = full),
    ];
    const restore = (): void => {
      Object.defineProperties(TreeFiles.prototype, files);
      Object.defineProperties(KeptCheckpoints.prototype, checkpoints);
    };
    const keeper = scene.open();
    scene.log.push(eventAt(0));
    await keeper.start();
    try {
      for (const [i, failing] of failures.entries()) {
        // So many that a tile is full.
        const events = eventsOf(scene.log.length + 300).slice(scene.log.length);
        const after = scene.log.at(-1) ?? null;
        scene.log.push(...events);
        failing();
        keeper.take(after, events);
        expect(scene.news.at(-1), `failure ${i}`).to.deep.equal({
          _tag: 'LogFailed',
          detail: 'the disk is full',
          isOutage: false,
        });
        restore();
        scene.log.push(eventAt(scene.log.length));
        keeper.take(scene.log.at(-2) ?? null, scene.log.slice(-1));
        await keeper.start();
        scene.expectSigned(scene.news.at(-1), scene.log);
      }
    } finally {
      restore();
    }
    await keeper.close();
    // What was signed meanwhile is in the tree of now.
    for (const { size, root } of scene.kept())
      expect(root.toString('base64')).to.equal(rootOf(scene.log.slice(0, size)));
    scene.expectSigned(await scene.keptUp(), scene.log);
  });

  it('looks whether the log is still the one that it signed, where it was out of reach meanwhile', async () => {
    scene.log.push(...eventsOf(5));
    const keeper = scene.open();
    await keeper.start();
    scene.expectSigned(scene.news.at(-1), scene.log);
    keeper.doubt();
    keeper.reach(scene.log.at(-1)?.position ?? null);
    await keeper.start();
    scene.expectSigned(scene.news.at(-1), scene.log);
    // Put back from a backup of three events, after which others were written.
    scene.log.splice(3, 2, ...eventsOf(6, 'other').slice(3));
    keeper.doubt();
    keeper.reach(scene.log.at(-1)?.position ?? null);
    await keeper.start();
    expect(scene.news.at(-1)?._tag).to.equal('LogLost');
    await keeper.close();
  });

  it('signs nothing while the log is read again behind a failure, though something was to be signed soon', async () => {
    const write = Object.getOwnPropertyDescriptor(TreeFiles.prototype, 'write');
    if (write === undefined) expect.fail('no method of that name');
    scene.log.push(...eventsOf(1_200));
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const keeper = scene.open(IDENTITY, () => {
        mock.timers.tick(10_000);
        return Promise.resolve();
      });
      await keeper.start();
      scene.stepMs = 0;
      scene.log.push(eventAt(scene.log.length));
      keeper.take(scene.log.at(-2) ?? null, scene.log.slice(-1));
      for (const name of readdirSync(treeFolder(scene.path)).filter((it) => it.startsWith('hashes')))
        truncateSync(`${treeFolder(scene.path)}/${name}`, 0);
      const more = eventsOf(scene.log.length + 600).slice(scene.log.length);
      const after = scene.log.at(-1) ?? null;
      scene.log.push(...more);
      TreeFiles.prototype.write = (): never => {
        throw new Error('the disk is full');
      };
      keeper.take(after, more);
      Object.defineProperty(TreeFiles.prototype, 'write', write);
      expect(scene.news.at(-1)?._tag).to.equal('LogFailed');
      scene.news.length = 0;
      scene.stepMs = 2_000;
      await keeper.start();
      expect(scene.news.map(({ _tag }) => _tag)).to.deep.equal(['LogSigned']);
      scene.expectSigned(scene.news.at(-1), scene.log);
      await keeper.close();
    } finally {
      Object.defineProperty(TreeFiles.prototype, 'write', write);
      mock.timers.reset();
    }
  });

  it('signs by itself within seconds what it could not while the disk failed, though no other event comes', async () => {
    const write = Object.getOwnPropertyDescriptor(TreeFiles.prototype, 'write');
    if (write === undefined) expect.fail('no method of that name');
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const keeper = scene.open();
      scene.log.push(eventAt(0));
      await keeper.start();
      TreeFiles.prototype.write = (): never => {
        throw new Error('the disk is full');
      };
      scene.log.push(...eventsOf(3).slice(1));
      keeper.take(eventAt(0), scene.log.slice(1));
      expect(scene.news.at(-1)?._tag).to.equal('LogFailed');
      // It fails once more.
      mock.timers.tick(10_000);
      await keeper.start();
      expect(scene.news.at(-1)?._tag).to.equal('LogFailed');
      Object.defineProperty(TreeFiles.prototype, 'write', write);
      mock.timers.tick(10_000);
      await until(5_000, 'what was not signed to be signed', () =>
        Promise.resolve(scene.news.at(-1)?._tag === 'LogSigned' ? true : null),
      );
      scene.expectSigned(scene.news.at(-1), scene.log);
      await keeper.close();
    } finally {
      Object.defineProperty(TreeFiles.prototype, 'write', write);
      mock.timers.reset();
    }
  });

  it('tells no checkpoint that could not be kept, and keeps the next one whole', () => {
    const checkpoints = new KeptCheckpoints(scene.path, IDENTITY.origin);
    const root = naiveRoot([]);
    const of = (size: number) => {
      const note = signedCheckpoint(IDENTITY, size, root);
      return { origin: IDENTITY.origin, size, root, note, signedAt: scene.now };
    };
    checkpoints.add(of(1));
    // A line that can't be made stands for a disk that is full.
    const unwritten = {
      ...of(2),
      get note(): string {
        throw new Error('the disk is full');
      },
    };
    expect(() => checkpoints.add(unwritten)).to.throw('the disk is full');
    expect(checkpoints.newest?.size).to.equal(1);
    appendFileSync(`${scene.path}/${readdirSync(scene.path)[0]}`, '{"note":"cut o');
    checkpoints.add(of(3));
    expect(scene.kept().map(({ size }) => size)).to.deep.equal([1, 3]);
  });

  it('leaves no file open where what is kept can not be read', async () => {
    await scene.keptUp();
    const checkpoints = readdirSync(scene.path).find((name) => name.startsWith('checkpoints-')) ?? expect.fail('none');
    rmSync(join(scene.path, checkpoints));
    mkdirSync(join(scene.path, checkpoints));
    expect(() => scene.open()).to.throw(/is a folder, and the ledger keeps a file there/);
    expect(openFilesOf(scene.path)).to.deep.equal([]);
  });

  it('passes over no checkpoint that was damaged, and leaves it where it is', async () => {
    for (const count of [1, 2, 3]) {
      scene.log = [...eventsOf(count)];
      await scene.keptUp();
    }
    const file = join(
      scene.path,
      readdirSync(scene.path).find((name) => name.startsWith('checkpoints-')) ?? expect.fail('none'),
    );
    const whole = readFileSync(file, 'utf8');
    const lines = whole.split('\n');
    const damaged = lines.map((line, i) => (i === lines.length - 3 ? `x${line.slice(1)}` : line)).join('\n');
    writeFileSync(file, damaged);
    expect(() => scene.open()).to.throw(
      /^line \d+ of \/.*\/checkpoints-[0-9a-f]{16} is no checkpoint; put that file back from a backup/,
    );
    expect(readFileSync(file, 'utf8')).to.equal(damaged);
    expect(openFilesOf(scene.path)).to.deep.equal([]);
    writeFileSync(file, whole);
    scene.expectSigned(await scene.keptUp(), scene.log);
  });

  it('keeps one checkpoint of each hour, and the last ones, however many there were', () => {
    const many = new KeptCheckpoints(scene.path, IDENTITY.origin, 40);
    const root = naiveRoot([]);
    for (let size = 0; size < 400; size += 1) {
      const signedAt = instantOf(Date.parse(scene.now) + size * 300_000);
      many.add({ origin: IDENTITY.origin, size, root, signedAt, note: signedCheckpoint(IDENTITY, size, root) });
      expect(many.newest?.size).to.equal(size);
    }
    const all = scene.kept();
    expect(all.length).to.be.within(33, 2 * 41);
    expect(all.at(-1)?.size).to.equal(399);
    expect(new Set(all.map(({ signedAt }) => signedAt.slice(0, 13))).size).to.equal(Math.ceil(400 / 12));
  });
});
