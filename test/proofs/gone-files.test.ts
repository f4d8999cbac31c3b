import { generateKeyPairSync } from 'node:crypto';
import { copyFileSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { lookAtKeptLog } from '../../src/composition/doctor/look-at-checkpoints.ts';
import { checkpointsFile } from '../../src/proofs/files/kept-checkpoints.ts';
import { readLogKeys } from '../../src/proofs/files/log-keys.ts';
import { noteVerifier } from '../../src/proofs/signed-note.ts';
import { eventsOf, IDENTITY, KeeperScene } from './keeper-scene.ts';

const GONE = {
  'is emptied': (file: string): void => truncateSync(file),
  'is removed': (file: string): void => rmSync(file),
};

describe('files of what was signed that are gone from the data directory', () => {
  let scene: KeeperScene;
  beforeEach(async () => {
    scene = new KeeperScene();
    scene.log = [...eventsOf(3)];
    await scene.keptUp();
  });
  afterEach(() => scene.remove());

  const seen = (identity = IDENTITY) => lookAtKeptLog({ dataDir: scene.path, logIdentity: identity, witnesses: [] });

  for (const [how, lose] of Object.entries(GONE)) {
    describe(`a file of checkpoints that ${how}`, () => {
      it('is told at each start and by doctor, and nothing is signed until it is there again', async () => {
        const file = checkpointsFile(scene.path, IDENTITY.origin);
        copyFileSync(file, join(scene.path, 'copy'));
        lose(file);
        for (let starts = 0; starts < 2; starts += 1) {
          expect(seen()).to.deep.include({ _tag: 'Gone' });
          const told = await scene.keptUp();
          expect(told?._tag === 'LogLost' ? told.detail : told).to.match(/put that file back/);
          expect(scene.kept()).to.deep.equal([]);
        }
        copyFileSync(join(scene.path, 'copy'), file);
        expect(seen()._tag).to.equal('Signed');
        scene.expectSigned(await scene.keptUp(), scene.log);
      });

      it('ends the log of this name where somebody accepts that', async () => {
        lose(checkpointsFile(scene.path, IDENTITY.origin));
        const keeper = scene.open();
        await keeper.start();
        const accepted = keeper.acceptLoss('the disk was changed');
        await keeper.close();
        expect(accepted?.from).to.equal(IDENTITY.origin);
        expect(scene.news.at(-1)).to.deep.include({ _tag: 'LogSigned', origin: accepted?.to, size: 3 });
        expect((await scene.keptUp())?._tag).to.equal('LogSigned');
        expect(seen({ ...IDENTITY, origin: accepted?.to ?? '' })._tag).to.equal('Signed');
      });
    });

    describe(`a file of keys that ${how}`, () => {
      it('is told, by the ids of those that signed; what a former key signed is told until it is there again', async () => {
        const file = join(scene.path, 'log-keys');
        copyFileSync(file, join(scene.path, 'copy'));
        const { privateKey } = generateKeyPairSync('ed25519');
        const rotated = { ...IDENTITY, signingKey: privateKey };
        const keptUp = async (): Promise<void> => {
          scene.news = [];
          const keeper = scene.open(rotated);
          await keeper.start();
          await keeper.close();
        };
        const toldGone = () => scene.news.flatMap((news) => (news._tag === 'LogKeysGone' ? news.keys : []));
        scene.log = [...eventsOf(5)];
        await keptUp();
        expect(toldGone()).to.deep.equal([]);
        expect(seen(rotated)).to.deep.include({ _tag: 'Signed', goneKeys: [] });

        lose(file);
        await keptUp();
        expect(scene.news.at(-1)?._tag).to.equal('LogSigned');
        const former = noteVerifier(IDENTITY.origin, IDENTITY.signingKey).keyId.toString('hex');
        expect(toldGone()).to.deep.equal([former]);
        expect(seen(rotated)).to.deep.include({ _tag: 'Signed', goneKeys: [former] });
        await keptUp();
        expect(toldGone()).to.deep.equal([former]);

        copyFileSync(join(scene.path, 'copy'), file);
        await keptUp();
        expect(seen(rotated)).to.deep.include({ _tag: 'Signed', goneKeys: [] });
      });
    });
  }

  it('is not the key of now: a kill between the first checkpoint and its key alarms nobody, and it is kept at the start', async () => {
    rmSync(join(scene.path, 'log-keys'));
    expect(seen()).to.deep.include({ _tag: 'Signed', goneKeys: [] });
    scene.news = [];
    const keeper = scene.open();
    const [key] = readLogKeys(scene.path);
    expect(key?.keyId.equals(noteVerifier(IDENTITY.origin, IDENTITY.signingKey).keyId)).to.equal(true);
    await keeper.start();
    await keeper.close();
    expect(scene.news.map(({ _tag }) => _tag)).to.not.include('LogKeysGone');
  });

  it('is none where nothing was signed yet, though the file is there', async () => {
    const empty = new KeeperScene();
    const keeper = empty.open();
    await keeper.close();
    expect((await empty.keptUp())?._tag).to.equal('LogSigned');
    expect(empty.news.filter(({ _tag }) => _tag !== 'LogSigned')).to.deep.equal([]);
    empty.remove();
  });
});
