import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { configErrorLine, loadConfig } from '../../src/config/index.ts';
import { acceptLoss } from '../../src/proofs/files/accept-loss.ts';
import { checkpointsFile } from '../../src/proofs/files/kept-checkpoints.ts';
import { nameOfLog, readLogKeys } from '../../src/proofs/files/log-keys.ts';
import { nextOrigin } from '../../src/proofs/files/next-origin.ts';
import { handedInCheckpoint } from '../../src/proofs/handed-in-checkpoint.ts';
import type { KeeperNews } from '../../src/proofs/keeper-news.ts';
import { checkNote, isSameKey, noteVerifier, parseNote, verifierLine } from '../../src/proofs/signed-note.ts';
import { right } from '../support/right.ts';
import { eventAt, eventsOf, IDENTITY, KeeperScene, signingKey } from './keeper-scene.ts';

describe('the names and keys of a log', () => {
  let scene: KeeperScene;
  beforeEach(() => {
    scene = new KeeperScene();
  });
  afterEach(() => scene.remove());

  describe('with another key than before', () => {
    const other = generateKeyPairSync('ed25519').privateKey;
    const [before, now] = [signingKey, other].map((key) => noteVerifier(IDENTITY.origin, key));
    const signedBy = (told: KeeperNews | undefined): readonly boolean[] => {
      const note = parseNote(told?._tag === 'LogSigned' ? told.note : '') ?? expect.fail(JSON.stringify(told));
      expect(isSameKey(note.signatures[0] ?? expect.fail('no signature'), now ?? expect.fail('no key'))).to.equal(true);
      return [before, now].map((key) => key !== undefined && E.isRight(checkNote(note, key)));
    };

    it('signs what the former one has signed last beside it, and what comes alone', async () => {
      scene.log = [...eventsOf(30)];
      await scene.keptUp();
      const first = scene.kept().at(-1)?.note ?? '';
      const keeper = scene.open({ ...IDENTITY, signingKey: other });
      await keeper.start();
      expect(signedBy(scene.news.at(-1))).to.deep.equal([true, true]);
      scene.expectSigned(scene.news.at(-1), scene.log);
      scene.log.push(...eventsOf(33).slice(30));
      keeper.take(eventAt(29), scene.log.slice(30));
      expect(signedBy(scene.news.at(-1))).to.deep.equal([false, true]);
      await keeper.close();
      expect(readLogKeys(scene.path).map(verifierLine)).to.deep.equal(
        [signingKey, other].map((key) => verifierLine(noteVerifier(IDENTITY.origin, key))),
      );
      // What the former key has signed holds for ever.
      const known = { origin: IDENTITY.origin, losses: [], keys: readLogKeys(scene.path) };
      expect(right(handedInCheckpoint(first, known)).size).to.equal(30);
      const keys = [noteVerifier(IDENTITY.origin, other)];
      expect(E.isLeft(handedInCheckpoint(first, { ...known, keys }))).to.equal(true);
    });

    it('signs with both, as long as it is given both, an older checkpoint too', async () => {
      scene.log = [...eventsOf(3)];
      await scene.keptUp();
      // Events came while no ledger ran.
      scene.log = [...eventsOf(8)];
      const keeper = scene.open({ ...IDENTITY, signingKey: other, retiredKey: signingKey });
      await keeper.start();
      expect(signedBy(scene.news.at(-1))).to.deep.equal([true, true]);
      scene.log.push(eventAt(8));
      keeper.take(eventAt(7), scene.log.slice(8));
      expect(signedBy(scene.news.at(-1))).to.deep.equal([true, true]);
      await keeper.close();
      expect(scene.kept().map(({ size }) => size)).to.deep.equal([3, 8, 9]);
      for (const { note } of scene.kept()) expect(parseNote(note)?.signatures.length).to.equal(2);
    });

    it('is refused nothing where a key is put back', async () => {
      scene.log = [...eventsOf(5)];
      await scene.keptUp();
      for (const key of [other, signingKey, other]) {
        const keeper = scene.open({ ...IDENTITY, signingKey: key });
        await keeper.start();
        await keeper.close();
        const [first] = parseNote(scene.kept().at(-1)?.note ?? '')?.signatures ?? [];
        expect(first?.keyId.equals(noteVerifier(IDENTITY.origin, key).keyId)).to.equal(true);
      }
      expect([scene.kept().length, readLogKeys(scene.path).length]).to.deep.equal([1, 2]);
    });
  });

  it('is known by name to those who lack its key, also before the log that began is signed', async () => {
    expect(nameOfLog(scene.path, null)).to.equal(null);
    await scene.keptUp();
    expect(nameOfLog(scene.path, null)).to.equal(IDENTITY.origin);
    const loss = { at: scene.now, note: 'restored', from: IDENTITY.origin, size: 1 };
    const { to } = acceptLoss(scene.path, loss, randomBytes);
    expect(to).to.not.equal(IDENTITY.origin);
    expect(nameOfLog(scene.path, null)).to.equal(to);
  });

  it('is the one that it signed under last where the file of a generated one is gone', async () => {
    const started = (): string | undefined => {
      rmSync(join(scene.path, 'origin'), { force: true });
      const env = { DATA_DIR: scene.path, HOST: '127.0.0.1' };
      return right(loadConfig(env, { generate: true, randomBytes })).config.logIdentity?.origin;
    };
    expect(started()).to.match(/^ramp-ledger\/[0-9a-f]{16}$/);
    await scene.keptUp();
    expect(started()).to.equal(IDENTITY.origin);
    const { to } = acceptLoss(scene.path, { at: scene.now, note: 'lost', from: IDENTITY.origin, size: 1 }, randomBytes);
    expect(started()).to.equal(to);
  });

  describe('in the file of a generated one', () => {
    const startedWith = (text: string) => {
      writeFileSync(join(scene.path, 'origin'), text);
      return loadConfig({ DATA_DIR: scene.path, HOST: '127.0.0.1' }, { generate: true, randomBytes });
    };
    const nameIn = (text: string): string | undefined => right(startedWith(text)).config.logIdentity?.origin;
    const expectDamaged = (text: string): void => {
      const started = startedWith(text);
      if (E.isRight(started)) expect.fail(`${text} was taken`);
      expect(configErrorLine(started.left)).to.match(/^LEDGER_ORIGIN: the generated .*origin is .*backup$/);
      expect(readFileSync(join(scene.path, 'origin'), 'utf8')).to.equal(text);
    };
    const signUnder = async (origin: string): Promise<void> => {
      const keeper = scene.open({ ...IDENTITY, origin });
      await keeper.start();
      await keeper.close();
    };
    const WHOLE = 'ramp-ledger/0123456789abcdef';

    it('is taken whole or not at all: no start signs under the half of it', () => {
      for (let length = 0; length < WHOLE.length; length += 1) expectDamaged(WHOLE.slice(0, length));
      for (const text of [`${WHOLE}0`, WHOLE.toUpperCase().replace('RAMP-LEDGER', 'ramp-ledger')]) expectDamaged(text);
      for (const text of [WHOLE, `${WHOLE}\n`]) expect(nameIn(text)).to.equal(WHOLE);
      expect(nameIn('log.example/somebody-wrote-it')).to.equal('log.example/somebody-wrote-it');
    });

    it('is not the half of one that something was signed under, which is taken itself whatever its form', async () => {
      scene.log = [...eventsOf(4)];
      const names = ['log.example/long', 'ramp-ledger/shop', 'log.example'];
      for (const name of names) await signUnder(name);
      for (const name of names) expect(nameIn(`${name}\n`)).to.equal(name);
      for (const text of ['log.example/lo', 'ramp-ledger/sho', 'log.exa']) expectDamaged(text);
      // The log that begins behind a loss has a name before it signs.
      const loss = { at: scene.now, note: 'restored', from: 'ramp-ledger/shop', size: 4 };
      const { to } = acceptLoss(scene.path, loss, randomBytes);
      expect(to).to.match(/^ramp-ledger\/shop\/[0-9a-f]{16}$/);
      expect(nameIn(to)).to.equal(to);
    });
  });

  it('is known by the name that it signs under now, also where another one was given up again', async () => {
    scene.log = [...eventsOf(4)];
    const names = [IDENTITY.origin, 'log.example/middle', IDENTITY.origin];
    for (const origin of names) {
      const keeper = scene.open({ ...IDENTITY, origin });
      await keeper.start();
      await keeper.close();
      expect(nameOfLog(scene.path, null)).to.equal(origin);
    }
    expect(readLogKeys(scene.path).map(({ name }) => name)).to.deep.equal(['log.example/middle', IDENTITY.origin]);
    // One that signs beside it is not the one of now.
    const { privateKey } = generateKeyPairSync('ed25519');
    const keeper = scene.open({ ...IDENTITY, signingKey: privateKey, retiredKey: signingKey });
    await keeper.start();
    await keeper.close();
    expect(readLogKeys(scene.path).at(-1)?.publicKey.equals(createPublicKey(privateKey))).to.equal(true);
  });

  describe('behind an accepted loss', () => {
    const lossOf = (from: string) => ({ at: scene.now, note: 'restored', from, size: 1 });
    const SAME = '05'.repeat(8);

    /** Chance that gives these first, each as often as it is there. */
    const drawing = (...first: readonly number[]) => {
      const left = [...first];
      return (count: number): Buffer => Buffer.alloc(count, left.shift() ?? 9);
    };

    it('begin under one that can be counted from nothing: what was counted may be lost, or put back', () => {
      const first = acceptLoss(scene.path, lossOf(IDENTITY.origin), randomBytes).to;
      expect(first).to.match(/^log\.example\/1\/[0-9a-f]{16}$/);
      const second = acceptLoss(scene.path, lossOf(first), randomBytes).to;
      expect(second).to.match(/^log\.example\/1\/[0-9a-f]{16}$/);
      // As where the whole data directory was put back from before the first of them.
      rmSync(join(scene.path, 'accepted-losses'));
      const again = acceptLoss(scene.path, lossOf(IDENTITY.origin), randomBytes).to;
      expect(new Set([first, second, again]).size).to.equal(3);
    });

    it('take none that there is a trace of, whatever else of it is gone', async () => {
      scene.log = [...eventsOf(4)];
      const taken = `${IDENTITY.origin}/${SAME}`;
      const other = scene.open({ ...IDENTITY, origin: taken });
      await other.start();
      await other.close();
      const next = (): string => nextOrigin(scene.path, IDENTITY.origin, drawing(5, 5));
      const traces = {
        keys: join(scene.path, 'log-keys'),
        checkpoints: checkpointsFile(scene.path, taken),
      };
      const kept = { keys: readFileSync(traces.keys), checkpoints: readFileSync(traces.checkpoints) };
      for (const [only, file] of Object.entries(traces)) {
        for (const each of Object.values(traces)) rmSync(each, { force: true });
        writeFileSync(file, only === 'keys' ? kept.keys : kept.checkpoints);
        expect(next(), only).to.equal(`${IDENTITY.origin}/${'09'.repeat(8)}`);
      }
      // An empty file of checkpoints is a trace too.
      truncateSync(traces.checkpoints);
      expect(next()).to.not.equal(taken);
      rmSync(traces.checkpoints);
      expect(next()).to.equal(taken);
      acceptLoss(scene.path, lossOf(taken), randomBytes);
      expect(next()).to.not.equal(taken);
    });

    it('are none rather than one that was: chance that gives the same again and again is told', () => {
      const same = (count: number): Buffer => Buffer.alloc(count, 5);
      acceptLoss(scene.path, lossOf(`${IDENTITY.origin}/${SAME}`), randomBytes);
      expect(() => nextOrigin(scene.path, IDENTITY.origin, same)).to.throw(/no name was found/);
    });
  });

  it('takes no cosignature of a log that has ended for its own of the same size', async () => {
    scene.log = [...eventsOf(6)];
    await scene.keptUp();
    const offered = { note: scene.kept().at(-1)?.note ?? '', size: 6 };
    scene.log = [...eventsOf(6, 'other')];
    const keeper = scene.open();
    await keeper.start();
    expect(scene.news.at(-1)?._tag).to.equal('LogLost');
    expect(keeper.acceptLoss('restored')?.size).to.equal(6);
    const begun = keeper.checkpoints().at(-1) ?? expect.fail('nothing is signed');
    expect(begun.size).to.equal(6);
    const told = scene.news.length;
    const signature = { name: 'witness.example', keyId: Buffer.alloc(4, 1), bytes: Buffer.alloc(72, 2) };
    keeper.addCosignature(offered, signature);
    expect([keeper.checkpoints().at(-1)?.note, scene.news.length]).to.deep.equal([begun.note, told]);
    keeper.addCosignature({ note: begun.note, size: 6 }, signature);
    expect(parseNote(keeper.checkpoints().at(-1)?.note ?? '')?.signatures.length).to.equal(2);
    expect(scene.news.length).to.equal(told + 1);
    await keeper.close();
  });
});
