import { appendFileSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { mock } from 'node:test';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import type { Position } from '../../src/domain/ids.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { positionAt } from '../../src/domain/position.ts';
import type { RecordedEvent } from '../../src/domain/recorded-event.ts';
import { orderEvent } from '../../src/domain/new-event.ts';
import { parseCheckpoint, signedCheckpoint, type LogIdentity } from '../../src/proofs/checkpoint.ts';
import { TreeFiles } from '../../src/proofs/files/tree-files.ts';
import { acceptLoss } from '../../src/proofs/files/accepted-losses.ts';
import { KeptCheckpoints, readCheckpoints } from '../../src/proofs/files/kept-checkpoints.ts';
import { nameOfLog, readLogKeys } from '../../src/proofs/files/log-keys.ts';
import { handedInCheckpoint } from '../../src/proofs/handed-in-checkpoint.ts';
import type { KeeperNews } from '../../src/proofs/keeper-news.ts';
import { treeFolder } from '../../src/proofs/files/tree-folder.ts';
import { LogKeeper } from '../../src/proofs/log-keeper.ts';
import { leafText } from '../../src/proofs/log-leaf.ts';
import { checkNote, isSameKey, noteVerifier, parseNote, verifierLine } from '../../src/proofs/signed-note.ts';
import { openFilesOf } from '../support/open-files.ts';
import { bodyOf, onRamp, orderContent, verifiedDelivery } from '../support/payloads.ts';
import { recordedEvent } from '../support/recorded-event.ts';
import { right } from '../support/right.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { naiveRoot } from './naive-tree.ts';

const signingKey = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 7)]),
  format: 'der',
  type: 'pkcs8',
});
const IDENTITY = { origin: 'log.example/1', signingKey, retiredKey: null };

const eventAt = (i: number, name = 'order'): RecordedEvent => {
  const payload = onRamp({ orderId: `${name}-${i}` });
  const event = orderEvent(verifiedDelivery(bodyOf(payload)), orderContent(payload));
  return recordedEvent(event, { position: positionAt(10 + 3 * i) });
};

const eventsOf = (count: number, name = 'order'): readonly RecordedEvent[] =>
  Array.from({ length: count }, (_, i) => eventAt(i, name));

const rootOf = (events: readonly RecordedEvent[]): string =>
  naiveRoot(events.map((event) => Buffer.from(leafText(event)))).toString('base64');

describe('the keeper of a log', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let log: RecordedEvent[];
  let news: KeeperNews[];
  /** The clock moves on by this at each look at it. */
  let nowMs: number;
  let stepMs: number;
  /** How often the log was read. */
  let readings: number;

  beforeEach(() => {
    readings = 0;
    folder = temporaryFolder();
    log = [];
    news = [];
    nowMs = Date.UTC(2026, 0, 1);
    stepMs = 2_000;
  });
  afterEach(() => folder.remove());

  const store = {
    async *readAll(after: Position | null) {
      if ((readings += 1) > 100) throw new Error('the log is read again and again');
      // As far as it is now: what comes meanwhile is not given.
      for (const event of log.filter(({ position }) => after === null || Number(position) > Number(after))) {
        await Promise.resolve();
        yield E.right(event);
      }
    },
    readAt: (positions: readonly Position[]) => () =>
      Promise.resolve(E.right(log.filter(({ position }) => positions.includes(position)))),
  };

  const open = (identity: LogIdentity = IDENTITY, giveWay = (): Promise<void> => Promise.resolve()): LogKeeper =>
    new LogKeeper({
      giveWay,
      dataDir: folder.path,
      identity,
      store,
      now: () => instantOf((nowMs += stepMs)),
      random: (count) => Buffer.alloc(count, 5),
      tell: (one) => news.push(one),
    });

  const kept = () => readCheckpoints(folder.path, IDENTITY.origin);

  /** What a keeper that is started and closed comes to. */
  const keptUp = async (): Promise<KeeperNews | undefined> => {
    const keeper = open();
    await keeper.start();
    await keeper.close();
    return news.at(-1);
  };

  const expectSigned = (told: KeeperNews | undefined, events: readonly RecordedEvent[]): void => {
    if (told?._tag !== 'LogSigned') expect.fail(JSON.stringify(told));
    const checkpoint = parseCheckpoint(parseNote(told.note)?.text ?? '');
    expect([checkpoint?.size, checkpoint?.root.toString('base64')]).to.deep.equal([events.length, rootOf(events)]);
    expect(told.position).to.equal(events.at(-1)?.position ?? null);
    expect(kept().at(-1)?.note).to.equal(told.note);
  };

  it('signs what is there, the empty log too, and what is taken behind it', async () => {
    const keeper = open();
    await keeper.start();
    expectSigned(news.at(-1), []);
    let after: Position | null = null;
    for (const count of [1, 2, 300, 17, 700]) {
      const batch = eventsOf(log.length + count).slice(log.length);
      log.push(...batch);
      keeper.take(after, batch);
      after = batch.at(-1)?.position ?? after;
      expectSigned(news.at(-1), log);
    }
    await keeper.close();
    expect(news.every(({ _tag }) => _tag === 'LogSigned')).to.equal(true);
  });

  it('reads up to where it is told that the log goes, be it level or still reading', async () => {
    const keeper = open();
    await keeper.start();
    log = [...eventsOf(3)];
    keeper.reach(eventAt(2).position);
    await keeper.start();
    expectSigned(news.at(-1), eventsOf(3));
    const reading = keeper.start();
    log.push(eventAt(3));
    keeper.reach(eventAt(3).position);
    await reading;
    expectSigned(news.at(-1), eventsOf(4));
    keeper.reach(eventAt(1).position);
    await keeper.close();
    expectSigned(news.at(-1), eventsOf(4));
  });

  it('gives way between the pieces of a long log, and ends where it is closed meanwhile', async () => {
    log = [...eventsOf(1_100)];
    let given = 0;
    const whole = open(IDENTITY, async () => {
      given += 1;
    });
    await whole.start();
    expectSigned(news.at(-1), log);
    expect(given).to.equal(2);
    await whole.close();

    const more = eventsOf(2_300);
    log = [...more];
    let ending = Promise.resolve();
    const closed = open(IDENTITY, () => {
      ending = closed.close();
      return Promise.resolve();
    });
    await closed.start();
    await ending;
    expect(kept().at(-1)?.size).to.equal(1_100);
  });

  it('reads what it was not given, in whatever order things happen', async () => {
    log = [...eventsOf(600)];
    const keeper = open();
    const started = keeper.start();
    const late = eventsOf(605).slice(600);
    log.push(...late);
    keeper.take(eventAt(599).position, late);
    await started;
    expectSigned(news.at(-1), log);
    // A batch that is behind a gap, and one that was taken already in part.
    log.push(...eventsOf(620).slice(605));
    keeper.take(eventAt(609).position, log.slice(610));
    await keeper.start();
    expectSigned(news.at(-1), log);
    log.push(...eventsOf(625).slice(620));
    keeper.take(eventAt(614).position, log.slice(615));
    expectSigned(news.at(-1), log);
    await keeper.close();
  });

  it('goes on where it was, whatever of the files was lost or spoiled meanwhile', async () => {
    const treeFile = (name: string): string => `${treeFolder(folder.path)}/${name}`;
    const spoil: readonly (() => void)[] = [
      () => undefined,
      () => appendFileSync(treeFile('hashes-0'), 'written and never signed'),
      () => truncateSync(treeFile('hashes-0'), 32 * 5),
      () => truncateSync(treeFile('positions'), 8),
      () => writeFileSync(treeFile('hashes-1'), Buffer.alloc(32)),
      () => readdirSync(treeFolder(folder.path)).forEach((name) => truncateSync(treeFile(name), 0)),
      () =>
        appendFileSync(
          `${folder.path}/${readdirSync(folder.path).find((name) => name.startsWith('checkpoints-'))}`,
          '{"note":"cut o',
        ),
    ];
    for (const [i, spoiled] of spoil.entries()) {
      log = [...eventsOf(300 * (i + 1))];
      expectSigned(await keptUp(), log);
      spoiled();
      // The same tree signs the same note.
      expectSigned(await keptUp(), log);
    }
    const sizes = kept().map(({ size }) => size);
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
    const keeper = open();
    await keeper.start();
    try {
      for (const [i, failing] of failures.entries()) {
        // So many that a tile is full.
        const events = eventsOf(log.length + 300).slice(log.length);
        const after = log.at(-1)?.position ?? null;
        log.push(...events);
        failing();
        keeper.take(after, events);
        expect(news.at(-1), `failure ${i}`).to.deep.equal({ _tag: 'LogFailed', detail: 'the disk is full' });
        restore();
        log.push(eventAt(log.length));
        keeper.take(log.at(-2)?.position ?? null, log.slice(-1));
        await keeper.start();
        expectSigned(news.at(-1), log);
      }
    } finally {
      restore();
    }
    await keeper.close();
    // What was signed meanwhile is in the tree of now.
    for (const { size, root } of kept()) expect(root.toString('base64')).to.equal(rootOf(log.slice(0, size)));
    expectSigned(await keptUp(), log);
  });

  it('looks whether the log is still the one that it signed, where it was out of reach meanwhile', async () => {
    log.push(...eventsOf(5));
    const keeper = open();
    await keeper.start();
    expectSigned(news.at(-1), log);
    keeper.doubt();
    keeper.reach(log.at(-1)?.position ?? null);
    await keeper.start();
    expectSigned(news.at(-1), log);
    // Put back from a backup of three events, after which others were written.
    log.splice(3, 2, ...eventsOf(6, 'other').slice(3));
    keeper.doubt();
    keeper.reach(log.at(-1)?.position ?? null);
    await keeper.start();
    expect(news.at(-1)?._tag).to.equal('LogLost');
    await keeper.close();
  });

  it('signs nothing while the log is read again behind a failure, though something was to be signed soon', async () => {
    const write = Object.getOwnPropertyDescriptor(TreeFiles.prototype, 'write');
    if (write === undefined) expect.fail('no method of that name');
    log.push(...eventsOf(1_200));
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const keeper = open(IDENTITY, () => {
        mock.timers.tick(10_000);
        return Promise.resolve();
      });
      await keeper.start();
      stepMs = 0;
      log.push(eventAt(log.length));
      keeper.take(log.at(-2)?.position ?? null, log.slice(-1));
      for (const name of readdirSync(treeFolder(folder.path)).filter((it) => it.startsWith('hashes')))
        truncateSync(`${treeFolder(folder.path)}/${name}`, 0);
      const more = eventsOf(log.length + 600).slice(log.length);
      const after = log.at(-1)?.position ?? null;
      log.push(...more);
      TreeFiles.prototype.write = (): never => {
        throw new Error('the disk is full');
      };
      keeper.take(after, more);
      Object.defineProperty(TreeFiles.prototype, 'write', write);
      expect(news.at(-1)?._tag).to.equal('LogFailed');
      news.length = 0;
      stepMs = 2_000;
      await keeper.start();
      expect(news.map(({ _tag }) => _tag)).to.deep.equal(['LogSigned']);
      expectSigned(news.at(-1), log);
      await keeper.close();
    } finally {
      Object.defineProperty(TreeFiles.prototype, 'write', write);
      mock.timers.reset();
    }
  });

  it('tells no checkpoint that could not be kept, and keeps the next one whole', () => {
    const checkpoints = new KeptCheckpoints(folder.path, IDENTITY.origin);
    const root = naiveRoot([]);
    const of = (size: number) => {
      const note = signedCheckpoint(IDENTITY, size, root);
      return { origin: IDENTITY.origin, size, root, note, signedAt: instantOf(nowMs) };
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
    appendFileSync(`${folder.path}/${readdirSync(folder.path)[0]}`, '{"note":"cut o');
    checkpoints.add(of(3));
    expect(kept().map(({ size }) => size)).to.deep.equal([1, 3]);
  });

  it('signs nothing more for a log that lacks what was signed, nor for another one', async () => {
    log = [...eventsOf(300)];
    await keptUp();
    const signed = kept().length;
    for (const [what, others] of [
      ['the last event gone', eventsOf(299)],
      ['all gone', []],
      ['another log', eventsOf(300, 'other')],
      ['another, longer log', eventsOf(400, 'other')],
      ['one in the middle gone, and another at the end', eventsOf(301).filter((_, i) => i !== 150)],
    ] as const) {
      log = [...others];
      // Files that were made for the log before are no help.
      readdirSync(treeFolder(folder.path)).forEach((name) => truncateSync(`${treeFolder(folder.path)}/${name}`, 0));
      expect((await keptUp())?._tag, what).to.equal('LogLost');
      expect((await keptUp())?._tag, what).to.equal('LogLost');
    }
    expect(kept().length).to.equal(signed);
    log = [...eventsOf(310)];
    expectSigned(await keptUp(), log);
  });

  it('finds out by the last event alone that the log was replaced by an older one that went on', async () => {
    log = [...eventsOf(300)];
    await keptUp();
    log = [...eventsOf(290), ...eventsOf(320, 'later').slice(290)];
    expect((await keptUp())?._tag).to.equal('LogLost');
  });

  it('finds out that the log was cut off where others still tell of what it had', async () => {
    log = [...eventsOf(5)];
    await keptUp();
    log = [...eventsOf(3)];
    const keeper = open();
    await keeper.start();
    keeper.reach(eventAt(4).position);
    await keeper.start();
    expect(news.at(-1)?._tag).to.equal('LogLost');
    log.push(eventAt(7, 'later'));
    keeper.take(eventAt(4).position, [eventAt(7, 'later')]);
    await keeper.close();
    expect(news.at(-1)?._tag).to.equal('LogLost');
  });

  describe('with another key than before', () => {
    const other = generateKeyPairSync('ed25519').privateKey;
    const [before, now] = [signingKey, other].map((key) => noteVerifier(IDENTITY.origin, key));
    const signedBy = (told: KeeperNews | undefined): readonly boolean[] => {
      const note = parseNote(told?._tag === 'LogSigned' ? told.note : '') ?? expect.fail(JSON.stringify(told));
      expect(isSameKey(note.signatures[0] ?? expect.fail('no signature'), now ?? expect.fail('no key'))).to.equal(true);
      return [before, now].map((key) => key !== undefined && E.isRight(checkNote(note, key)));
    };

    it('signs what the former one has signed last beside it, and what comes alone', async () => {
      log = [...eventsOf(30)];
      await keptUp();
      const first = kept().at(-1)?.note ?? '';
      const keeper = open({ ...IDENTITY, signingKey: other });
      await keeper.start();
      expect(signedBy(news.at(-1))).to.deep.equal([true, true]);
      expectSigned(news.at(-1), log);
      log.push(...eventsOf(33).slice(30));
      keeper.take(eventAt(29).position, log.slice(30));
      expect(signedBy(news.at(-1))).to.deep.equal([false, true]);
      await keeper.close();
      expect(readLogKeys(folder.path).map(verifierLine)).to.deep.equal(
        [signingKey, other].map((key) => verifierLine(noteVerifier(IDENTITY.origin, key))),
      );
      // What the former key has signed holds for ever.
      const known = { origin: IDENTITY.origin, losses: [], keys: readLogKeys(folder.path) };
      expect(right(handedInCheckpoint(first, known)).size).to.equal(30);
      const keys = [noteVerifier(IDENTITY.origin, other)];
      expect(E.isLeft(handedInCheckpoint(first, { ...known, keys }))).to.equal(true);
    });

    it('signs with both, as long as it is given both, an older checkpoint too', async () => {
      log = [...eventsOf(3)];
      await keptUp();
      // Events came while no ledger ran.
      log = [...eventsOf(8)];
      const keeper = open({ ...IDENTITY, signingKey: other, retiredKey: signingKey });
      await keeper.start();
      expect(signedBy(news.at(-1))).to.deep.equal([true, true]);
      log.push(eventAt(8));
      keeper.take(eventAt(7).position, log.slice(8));
      expect(signedBy(news.at(-1))).to.deep.equal([true, true]);
      await keeper.close();
      expect(kept().map(({ size }) => size)).to.deep.equal([3, 8, 9]);
      for (const { note } of kept()) expect(parseNote(note)?.signatures.length).to.equal(2);
    });

    it('is refused nothing where a key is put back', async () => {
      log = [...eventsOf(5)];
      await keptUp();
      for (const key of [other, signingKey, other]) {
        const keeper = open({ ...IDENTITY, signingKey: key });
        await keeper.start();
        await keeper.close();
        const [first] = parseNote(kept().at(-1)?.note ?? '')?.signatures ?? [];
        expect(first?.keyId.equals(noteVerifier(IDENTITY.origin, key).keyId)).to.equal(true);
      }
      expect([kept().length, readLogKeys(folder.path).length]).to.deep.equal([1, 2]);
    });
  });

  it('is known by name to those who lack its key, also before the log that began is signed', async () => {
    expect(nameOfLog(folder.path, null)).to.equal(null);
    await keptUp();
    expect(nameOfLog(folder.path, null)).to.equal(IDENTITY.origin);
    const loss = { at: instantOf(nowMs), note: 'restored', from: IDENTITY.origin, size: 1 };
    const { to } = acceptLoss(folder.path, loss, randomBytes);
    expect(to).to.not.equal(IDENTITY.origin);
    expect(nameOfLog(folder.path, null)).to.equal(to);
  });

  it('is known by the name that it signs under now, also where another one was given up again', async () => {
    log = [...eventsOf(4)];
    const names = [IDENTITY.origin, 'log.example/middle', IDENTITY.origin];
    for (const origin of names) {
      const keeper = open({ ...IDENTITY, origin });
      await keeper.start();
      await keeper.close();
      expect(nameOfLog(folder.path, null)).to.equal(origin);
    }
    expect(readLogKeys(folder.path).map(({ name }) => name)).to.deep.equal(['log.example/middle', IDENTITY.origin]);
    // One that signs beside it is not the one of now.
    const { privateKey } = generateKeyPairSync('ed25519');
    const keeper = open({ ...IDENTITY, signingKey: privateKey, retiredKey: signingKey });
    await keeper.start();
    await keeper.close();
    expect(readLogKeys(folder.path).at(-1)?.publicKey.equals(createPublicKey(privateKey))).to.equal(true);
  });

  it('begins under no name that something was signed under', async () => {
    log = [...eventsOf(4)];
    const other = open({ ...IDENTITY, origin: `${IDENTITY.origin}/2` });
    await other.start();
    await other.close();
    const loss = { at: instantOf(nowMs), note: 'restored', from: IDENTITY.origin, size: 1 };
    const first = acceptLoss(folder.path, loss, randomBytes);
    expect(first.to).to.equal(`${IDENTITY.origin}/3`);
    expect(acceptLoss(folder.path, { ...loss, from: first.to }, randomBytes).to).to.equal(`${IDENTITY.origin}/4`);
  });

  it('takes no cosignature of a log that has ended for its own of the same size', async () => {
    log = [...eventsOf(6)];
    await keptUp();
    const offered = { note: kept().at(-1)?.note ?? '', size: 6 };
    log = [...eventsOf(6, 'other')];
    const keeper = open();
    await keeper.start();
    expect(news.at(-1)?._tag).to.equal('LogLost');
    expect(keeper.acceptLoss('restored')?.size).to.equal(6);
    const begun = keeper.checkpoints().at(-1) ?? expect.fail('nothing is signed');
    expect(begun.size).to.equal(6);
    const told = news.length;
    const signature = { name: 'witness.example', keyId: Buffer.alloc(4, 1), bytes: Buffer.alloc(72, 2) };
    keeper.addCosignature(offered, signature);
    expect([keeper.checkpoints().at(-1)?.note, news.length]).to.deep.equal([begun.note, told]);
    keeper.addCosignature({ note: begun.note, size: 6 }, signature);
    expect(parseNote(keeper.checkpoints().at(-1)?.note ?? '')?.signatures.length).to.equal(2);
    expect(news.length).to.equal(told + 1);
    await keeper.close();
  });

  it('leaves no file open where what is kept can not be read', async () => {
    await keptUp();
    const checkpoints = readdirSync(folder.path).find((name) => name.startsWith('checkpoints-')) ?? expect.fail('none');
    rmSync(join(folder.path, checkpoints));
    mkdirSync(join(folder.path, checkpoints));
    expect(() => open()).to.throw(/EISDIR/);
    expect(openFilesOf(folder.path)).to.deep.equal([]);
  });

  it('keeps one checkpoint of each hour, and the last ones, however many there were', () => {
    const many = new KeptCheckpoints(folder.path, IDENTITY.origin, 40);
    const root = naiveRoot([]);
    for (let size = 0; size < 400; size += 1) {
      const signedAt = instantOf(nowMs + size * 300_000);
      many.add({ origin: IDENTITY.origin, size, root, signedAt, note: signedCheckpoint(IDENTITY, size, root) });
      expect(many.newest?.size).to.equal(size);
    }
    const all = kept();
    expect(all.length).to.be.within(33, 2 * 41);
    expect(all.at(-1)?.size).to.equal(399);
    expect(new Set(all.map(({ signedAt }) => signedAt.slice(0, 13))).size).to.equal(Math.ceil(400 / 12));
  });
});
