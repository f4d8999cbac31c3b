import { copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { checkpointsSeen, lookAtKeptLog } from '../../src/composition/doctor/look-at-checkpoints.ts';
import { noteFirstStart } from '../../src/composition/ledger/note-first-start.ts';
import type { Position } from '../../src/domain/ids.ts';
import { positionAt } from '../../src/domain/position.ts';
import { noteKeyBegun, noteNameBegun } from '../../src/proofs/files/begun-here.ts';
import { noteRestored } from '../../src/proofs/files/restored-log.ts';
import type { KeeperNews } from '../../src/proofs/keeper-news.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { eventsOf, IDENTITY, KeeperScene } from './keeper-scene.ts';

const expectWithheld = (told: KeeperNews | undefined, why: RegExp): void => {
  if (told?._tag !== 'LogLost') expect.fail(JSON.stringify(told));
  expect(told.detail).to.match(why).and.to.include('--accept-loss');
};

const NOTHING_KEPT = /^nothing here says what was signed under log\.example\/1/;
const RESTORED = /^a backup was restored, and more may have been signed/;

describe('a log whose name and key may have signed elsewhere', () => {
  let scene: KeeperScene;
  beforeEach(() => {
    scene = new KeeperScene(false);
    scene.log = [...eventsOf(3)];
  });
  afterEach(() => scene.remove());

  const seen = () => {
    const kept = lookAtKeptLog({ dataDir: scene.path, logIdentity: IDENTITY, witnesses: [] });
    const newest = scene.log.toReversed();
    return checkpointsSeen(kept, { _tag: 'Read', about: '', newest, isWhole: true, included: null, signed: null })._tag;
  };

  it('signs none of its events at any start, until somebody goes on under another name', async () => {
    for (let starts = 0; starts < 2; starts += 1) {
      expectWithheld(await scene.keptUp(), NOTHING_KEPT);
      expect([scene.kept(), seen()]).to.deep.equal([[], 'Unknown']);
    }
    const keeper = scene.open();
    await keeper.start();
    const to = keeper.acceptLoss('the machine was lost')?.to;
    await keeper.close();
    expect(to).to.match(/^log\.example\/1\/[0-9a-f]{16}$/);
    expect(scene.news.at(-1)).to.deep.include({ _tag: 'LogSigned', origin: to, size: 3 });
    expect(scene.kept()).to.deep.equal([]);
    scene.log = [...eventsOf(4)];
    expect(await scene.keptUp()).to.deep.include({ _tag: 'LogSigned', origin: to, size: 4 });
  });

  it('signs them where the configuration gives both name and key, unless a backup was restored', async () => {
    const configured = { ...IDENTITY, isConfigured: true };
    scene.expectSigned(await scene.keptUp(configured), scene.log);
    for (const name of readdirSync(scene.path)) rmSync(join(scene.path, name), { recursive: true });
    expect(noteRestored(scene.path, 3)).to.equal(true);
    expectWithheld(await scene.keptUp(configured), RESTORED);
  });

  it('goes on where what was signed is put there', async () => {
    const before = new KeeperScene();
    before.log = [...eventsOf(2)];
    await before.keptUp();
    expectWithheld(await scene.keptUp(), NOTHING_KEPT);
    for (const name of readdirSync(before.path).filter((one) => /^(?:log-keys|checkpoints-)/.test(one))) {
      copyFileSync(join(before.path, name), join(scene.path, name));
    }
    before.remove();
    scene.expectSigned(await scene.keptUp(), scene.log);
  });

  for (const [made, note] of [
    ['name', (dataDir: string): void => noteNameBegun(dataDir, IDENTITY.origin)],
    ['key', (dataDir: string): void => noteKeyBegun(dataDir, IDENTITY.signingKey)],
  ] as const) {
    it(`signs events from elsewhere with a ${made} that was made here, however often it is ended before that`, async () => {
      note(scene.path);
      scene.away = { _tag: 'StoreUnavailable', detail: 'away' };
      await scene.keptUp();
      expect(scene.kept()).to.deep.equal([]);
      scene.away = null;
      scene.expectSigned(await scene.keptUp(), scene.log);
      expect(existsSync(join(scene.path, 'begun-here'))).to.equal(false);
    });
  }

  it('signs nothing more where all that it signed is taken away', async () => {
    noteNameBegun(scene.path, IDENTITY.origin);
    await scene.keptUp();
    for (const name of readdirSync(scene.path)) rmSync(join(scene.path, name), { recursive: true });
    scene.log = [...eventsOf(2)];
    expectWithheld(await scene.keptUp(), NOTHING_KEPT);
    expect(seen()).to.equal('Unknown');
  });

  it('signs that there is no event, and then all that come', async () => {
    scene.log = [];
    const keeper = scene.open();
    await keeper.start();
    scene.log = [...eventsOf(2)];
    keeper.take(null, scene.log);
    await keeper.start();
    await keeper.close();
    scene.expectSigned(scene.news.at(-1), scene.log);
  });

  describe('behind a backup that was restored', () => {
    beforeEach(async () => {
      noteNameBegun(scene.path, IDENTITY.origin);
      await scene.keptUp();
    });

    it('signs nothing where its checkpoints came along with the backup', async () => {
      rmSync(join(scene.path, 'log-tree'), { recursive: true });
      expect(noteRestored(scene.path, 3)).to.equal(true);
      scene.log = [...eventsOf(3), ...eventsOf(6, 'later').slice(3)];
      for (let starts = 0; starts < 2; starts += 1) expectWithheld(await scene.keptUp(), RESTORED);
      expect([seen(), scene.kept().map(({ size }) => size)]).to.deep.equal(['Unknown', [3]]);
      const keeper = scene.open();
      await keeper.start();
      const to = keeper.acceptLoss('the machine was lost')?.to;
      await keeper.close();
      expect(await scene.keptUp()).to.deep.include({ _tag: 'LogSigned', origin: to, size: 6 });
      expect(to).not.to.equal(IDENTITY.origin);
    });

    it('signs nothing where they end before the backup does, whatever lies beside them', async () => {
      expect(noteRestored(scene.path, 4)).to.equal(true);
      scene.log = [...eventsOf(4)];
      expectWithheld(await scene.keptUp(), RESTORED);
    });

    it('goes on where it lies with the tree that it signed, and the backup ends with that', async () => {
      expect(noteRestored(scene.path, 3)).to.equal(false);
      scene.log = [...eventsOf(4)];
      scene.expectSigned(await scene.keptUp(), scene.log);
    });

    it('is held to what it has signed behind the backup', async () => {
      expect(noteRestored(scene.path, 2)).to.equal(false);
      scene.log = [...eventsOf(2)];
      expect(await scene.keptUp()).to.deep.include({
        _tag: 'LogLost',
        detail: 'a checkpoint of 3 events was signed, and the log has 2',
      });
    });
  });
});

describe('the first start of a log', () => {
  const noted = async (
    head: E.Either<{ readonly _tag: 'StoreUnavailable'; readonly detail: string }, Position | null>,
  ) => {
    const folder = temporaryFolder();
    const config = { dataDir: folder.path, logIdentity: IDENTITY };
    expect(await noteFirstStart(config, { head: () => () => Promise.resolve(head) })).to.deep.equal(E.right(undefined));
    const isNoted = existsSync(join(folder.path, 'begun-here'));
    folder.remove();
    return isNoted;
  };

  it('is noted where there is no event yet, and only there', async () => {
    expect(await noted(E.right(null))).to.equal(true);
    expect(await noted(E.right(positionAt(1)))).to.equal(false);
    expect(await noted(E.left({ _tag: 'StoreUnavailable', detail: 'away' }))).to.equal(false);
  });
});
