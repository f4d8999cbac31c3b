import { renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { branded } from '../../../src/domain/brand.ts';
import type { RequestId, SecretId } from '../../../src/domain/ids.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import { sha256 } from '../../../src/domain/sha256.ts';
import { held } from '../../../src/event-store/kept-place.ts';
import { entryBytes } from '../../../src/event-store/spool/entry-bytes.ts';
import { readSpoolState } from '../../../src/event-store/spool/read-spool-state.ts';
import { right } from '../../support/right.ts';
import { delivery, left, NOTE, spoolScene, theFirst, turns, type SpoolScene } from './spool-scene.ts';

describe('sqlite-spool', () => {
  let scene: SpoolScene;
  beforeEach(async () => {
    scene = await spoolScene();
  });
  afterEach(() => scene.end());

  const put = async (n: number, key: string, body?: string): Promise<void> => {
    right(await scene.spool().put(delivery(n, body), key)());
  };

  /** The numbers of the deliveries that wait, in order; takes them out. */
  const drained = async (): Promise<readonly number[]> =>
    (await scene.drain()).map(({ verified }) => Number(verified.requestId.slice('request-'.length)));

  it('gives back exactly what was put, in the order of arrival, also after a restart', async () => {
    const deliveries = fc.array(
      fc.record({
        body: fc.uint8Array({ maxLength: 5_000 }),
        key: fc.string({ unit: 'grapheme', maxLength: 20 }).filter((key) => !key.includes('\0')),
        receivedAt: fc.nat(10 ** 12),
        signature: fc.stringMatching(/^[0-9a-fA-F]{64}$/),
        secretId: fc.string({ unit: 'grapheme', minLength: 1 }).filter((id) => !id.includes('\0')),
        requestId: fc.stringMatching(/^[\w.:-]{8,128}$/),
      }),
      { maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(deliveries, fc.boolean(), async (all, restart) => {
        const expected = all.map(({ body, key, receivedAt, signature, secretId, requestId }) => ({
          key,
          verified: {
            body: Buffer.from(body),
            bodySha256: sha256(body),
            signature,
            secretId: branded<SecretId>(secretId),
            receivedAt: instantOf(receivedAt),
            requestId: branded<RequestId>(requestId),
          },
        }));
        const spool = scene.spool();
        const kept = await Promise.all(expected.map(({ verified, key }) => spool.put(verified, key)()));
        expect(kept.every(E.isRight)).to.equal(true);
        if (restart) await scene.reopen();
        const { depth, bytes, oldestReceivedAt } = scene.spool().state();
        expect({ depth, bytes, oldestReceivedAt }).to.deep.equal({
          depth: all.length,
          bytes: all.reduce((sum, { body }) => sum + entryBytes(body.length), 0),
          oldestReceivedAt: expected[0]?.verified.receivedAt ?? null,
        });
        const given = await scene.drain();
        expect(given.map(({ key, verified }) => ({ key, verified }))).to.deep.equal(expected);
        expect(given.map(({ seq }) => seq)).to.deep.equal(given.map(({ seq }) => seq).sort((a, b) => a - b));
        expect(scene.spool().state()).to.deep.include({ depth: 0, bytes: 0, oldestReceivedAt: null });
      }),
      { numRuns: 60 },
    );
  });

  it('is what a plain list would be, whatever is asked of it in whatever order', async () => {
    const keys = ['a', 'b', 'c'];
    const steps = fc.array(
      fc.oneof(
        fc.record({ step: fc.constant('put' as const), key: fc.constantFrom(...keys) }),
        fc.record({ step: fc.constant('putAside' as const), key: fc.constantFrom(...keys) }),
        fc.record({
          step: fc.constantFrom('done' as const, 'setAside' as const, 'reopen' as const, 'wrong' as const),
          key: fc.constantFrom(...keys),
        }),
      ),
      { maxLength: 25 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const own = await spoolScene();
        const waiting: { n: number; key: string }[] = [];
        const aside: number[] = [];
        for (const [n, { step, key }] of all.entries()) {
          for (const one of keys) {
            const of = waiting.find((each) => each.key === one);
            const expected = of === undefined ? null : delivery(of.n);
            expect(right(await own.spool().firstOf(one)())?.verified ?? null).to.deep.equal(expected);
          }
          expect([...own.spool().keys()]).to.have.members([...new Set(waiting.map((one) => one.key))]);
          const first = right(await own.spool().firstOf(key)());
          const place = waiting.findIndex((one) => one.key === key);
          switch (step) {
            case 'put':
              right(await own.spool().put(delivery(n), key)());
              waiting.push({ n, key });
              break;
            case 'putAside':
              right(await own.spool().putAside(delivery(n), key, NOTE)());
              aside.push(n);
              break;
            case 'done':
              if (first !== null) own.spool().done(first);
              waiting.splice(place, first === null ? 0 : 1);
              break;
            case 'setAside': {
              if (first !== null) own.spool().setAside(first, NOTE);
              aside.push(...waiting.splice(place, first === null ? 0 : 1).map(({ n: gone }) => gone));
              break;
            }
            case 'reopen':
              await own.reopen();
              break;
            case 'wrong':
              if (first === null) break;
              own.spool().done({ ...first, seq: first.seq + 1 });
              own.spool().setAside({ ...first, seq: first.seq - 1 }, NOTE);
              own.spool().done({ ...first, key: `${key}?` });
          }
          expect(own.spool().state()).to.deep.include({
            depth: waiting.length,
            setAside: aside.length,
            bytes:
              waiting.reduce((sum, one) => sum + entryBytes(delivery(one.n).body.length), 0) +
              aside.reduce((sum, one) => sum + entryBytes(delivery(one).body.length), 0),
            oldestReceivedAt: waiting[0] === undefined ? null : delivery(waiting[0].n).receivedAt,
          });
          for (const one of keys) expect(own.spool().holds(one)).to.equal(waiting.some(({ key }) => key === one));
        }
        const entries = right(await own.spool().setAsideEntries()()).map(({ requestId }) => requestId);
        expect(entries).to.have.members(aside.map((n) => delivery(n).requestId));
        expect((await own.drain()).map(({ verified }) => verified)).to.deep.equal(waiting.map(({ n }) => delivery(n)));
        await own.end();
      }),
      { numRuns: 60 },
    );
  });

  it('counts a delivery by its key only once it is durable, and as long as one waits', async () => {
    const spool = scene.spool();
    const kept = spool.put(delivery(1), 'a')();
    expect(spool.holds('a')).to.equal(false);
    right(await kept);
    await put(2, 'a');
    expect(spool.holds('a')).to.equal(true);
    spool.done(await theFirst(spool));
    expect(spool.holds('a')).to.equal(true);
    spool.done(await theFirst(spool));
    expect(spool.holds('a')).to.equal(false);
  });

  it('keeps what was set aside, with why and when, and in nobody’s way', async () => {
    await put(1, 'a');
    await put(2, 'b');
    const first = await theFirst(scene.spool());
    scene.spool().setAside(first, NOTE);
    right(await scene.spool().putAside(delivery(3), 'c', NOTE)());
    const { bodySha256, receivedAt, requestId } = delivery(1);
    for (const open of [scene.spool, scene.reopen]) {
      const spool = await open();
      const entries = right(await spool.setAsideEntries()());
      expect(entries.map(({ key }) => key)).to.deep.equal(['a', 'c']);
      expect(entries[0]).to.deep.equal({ seq: first.seq, key: 'a', bodySha256, receivedAt, requestId, ...NOTE });
      expect(spool.state()).to.deep.include({ depth: 1, setAside: 2 });
      expect(spool.holds('a')).to.equal(false);
      expect([...spool.keys()]).to.deep.equal(['b']);
    }
  });

  it('keeps a body that is set aside once, however often it comes', async () => {
    const spool = scene.spool();
    const kept = await Promise.all([1, 2, 3].map((n) => spool.putAside(delivery(n, 'same'), 'a', NOTE)()));
    expect(kept.every(E.isRight)).to.equal(true);
    right(await spool.putAside(delivery(4, 'same'), 'a', NOTE)());
    // Though there is no room for another one.
    right(await (await scene.reopen({ mostBytes: entryBytes(4) })).putAside(delivery(5, 'same'), 'a', NOTE)());
    expect(scene.spool().state()).to.deep.include({ setAside: 1, bytes: entryBytes(4) });
  });

  it('keeps a body that is set aside once, also where the same one that waits is set aside before it is written', async () => {
    await put(1, 'a');
    const again = scene.spool().putAside(delivery(1), 'a', NOTE)();
    scene.spool().setAside(await theFirst(scene.spool()), NOTE);
    right(await again);
    expect(right(await scene.spool().setAsideEntries()())).to.have.length(1);
    expect(scene.spool().state()).to.deep.include({ depth: 0, setAside: 1 });
  });

  it('is full at its most bytes, what is on its way counted, and ready while the longest body fits', async () => {
    const size = entryBytes('body 1'.length);
    const spool = await scene.reopen({ mostBytes: 3 * size, longestBody: 'body 1'.length });
    const kept = await Promise.all([1, 2, 3, 4].map((n) => spool.put(delivery(n), 'a')()));
    expect(kept.map(({ _tag }) => _tag)).to.deep.equal(['Right', 'Right', 'Right', 'Left']);
    const full = { detail: `spool.db holds ${3 * size} of at most ${3 * size} bytes` };
    expect(left(await spool.put(delivery(5), 'a')())).to.deep.equal({ _tag: 'SpoolFull', ...full });
    expect(left(await spool.putAside(delivery(5), 'a', NOTE)())).to.deep.equal({ _tag: 'SpoolFull', ...full });
    expect(spool.state().ready).to.deep.equal({ ready: false, ...full });
    // What is set aside takes its room all the same.
    spool.setAside(await theFirst(spool), NOTE);
    expect(spool.state().ready).to.deep.equal({ ready: false, ...full });
    spool.done(await theFirst(spool));
    expect(spool.state().ready).to.deep.equal({ ready: true });
    right(await spool.put(delivery(6), 'a')());
    expect(await drained()).to.deep.equal([3, 6]);
  });

  it('leaves everything as it was where nothing can be written, and goes on by itself', async () => {
    await put(1, 'a');
    await put(2, 'b');
    const other = new Database(scene.file);
    other.exec('BEGIN IMMEDIATE');
    const spool = scene.spool();
    const before = spool.state();
    expect(left(await spool.put(delivery(3), 'c')())._tag).to.equal('SpoolFailed');
    expect(spool.state()).to.deep.equal({
      ...before,
      ready: { ready: false, detail: 'spool.db: SQLITE_BUSY: database is locked' },
    });
    expect(spool.holds('c')).to.equal(false);
    // What waits is drained meanwhile, although even that can't be written.
    expect(await drained()).to.deep.equal([1, 2]);
    await turns();
    other.exec('ROLLBACK');
    other.close();
    expect(spool.state().ready).to.have.property('ready', false);
    await scene.pass();
    expect(spool.state()).to.deep.include({ depth: 0, bytes: 0, ready: { ready: true } });
    await turns();
    expect(right(readSpoolState(scene.file))).to.deep.include({ depth: 0 });
    expect((await scene.reopen()).state()).to.deep.include({ depth: 0, bytes: 0 });
  });

  it('a put that works ends the trouble at once', async () => {
    const other = new Database(scene.file);
    other.exec('BEGIN IMMEDIATE');
    left(await scene.spool().put(delivery(1), 'a')());
    other.exec('ROLLBACK');
    other.close();
    await put(2, 'a');
    expect(scene.spool().state().ready).to.deep.equal({ ready: true });
    expect(await drained()).to.deep.equal([2]);
  });

  it('is opened anew after any other failure, and counts anew what is there', async () => {
    await put(1, 'a');
    await put(2, 'b');
    const spool = scene.spool();
    const head = await theFirst(spool);
    const other = new Database(scene.file);
    other.exec('ALTER TABLE deliveries RENAME TO elsewhere');
    expect(left(await spool.put(delivery(3), 'c')())).to.have.property('_tag', 'SpoolFailed');
    await scene.pass();
    expect(spool.state().ready).to.have.property('ready', false);
    // Nothing that waits is forgotten while it can't be read.
    expect(spool.state().depth).to.equal(2);
    expect(spool.holds('b')).to.equal(true);
    other.exec('ALTER TABLE elsewhere RENAME TO deliveries');
    // A put whose commit failed may be durable all the same.
    other.exec(
      "INSERT INTO deliveries SELECT seq + 10, 'c', body_sha256, signature, secret_id, received_at, request_id, body FROM deliveries WHERE seq = 2",
    );
    other.close();
    left(await spool.put(delivery(4), 'd')());
    await scene.pass();
    await put(6, 'f');
    expect(spool.holds('c')).to.equal(true);
    // The one that was under way is done all the same.
    spool.done(head);
    expect(spool.state()).to.deep.include({ depth: 3, ready: { ready: true } });
    expect((await scene.drain()).map(({ key }) => key)).to.deep.equal(['b', 'c', 'f']);
    await put(5, 'e');
    expect(await drained()).to.deep.equal([5]);
  });

  for (const [what, part] of [
    ['it', ''],
    ['its write-ahead log', '-wal'],
    ['the index of that log', '-shm'],
  ] as const) {
    it(`keeps nothing more while somebody has moved ${what} away, gives what waits in it, and goes on once it is back`, async () => {
      await put(1, 'a');
      const file = `${scene.file}${part}`;
      renameSync(file, `${file}.away`);
      expect(left(await scene.spool().put(delivery(2), 'b')())).to.have.property('_tag', 'SpoolFailed');
      expect(left(await scene.spool().put(delivery(2), 'b')()).detail).to.contain('was removed, moved or exchanged');
      await scene.pass();
      expect(scene.spool().state().ready).to.have.property('ready', false);
      expect((await theFirst(scene.spool())).verified).to.deep.equal(delivery(1));
      renameSync(`${file}.away`, file);
      await scene.pass();
      expect(scene.spool().state().ready).to.deep.equal({ ready: true });
      await put(3, 'c');
      await scene.reopen();
      expect(await drained()).to.deep.equal([1, 3]);
    });
  }

  /** Does something between what the next commit writes and its end. */
  const inNextCommit = (deed: () => void): void => {
    const { prototype } = Database;
    const own = Object.getOwnPropertyDescriptor(prototype, 'exec') ?? expect.fail('there is no exec');
    const restore = (): unknown => Object.defineProperty(prototype, 'exec', own);
    const hook = (): void => {
      Object.defineProperty(prototype, 'exec', {
        ...own,
        value(this: Database.Database, sql: string) {
          restore();
          if (sql === 'COMMIT') deed();
          const done = this.exec(sql);
          if (sql !== 'COMMIT') hook();
          return done;
        },
      });
    };
    hook();
  };

  it('promises nothing of a batch in whose commit its files are moved away, has it from the file that is open, and counts it once that is back', async () => {
    await put(1, 'a');
    const spool = scene.spool();
    const ends = ['', '-wal', '-shm'];
    let told = 0;
    spool.onWaiting(() => {
      told += 1;
    });
    inNextCommit(() => {
      for (const end of ends) renameSync(`${scene.file}${end}`, `${scene.file}${end}.away`);
    });
    const kept = await Promise.all([2, 3].map((n) => spool.put(delivery(n), 'b')()));
    expect(kept.map((one) => left(one).detail))
      .to.have.length(2)
      .and.satisfy((all: readonly string[]) =>
        all.every((detail) => detail.includes('was removed, moved or exchanged')),
      );
    expect(spool.state()).to.deep.include({ depth: 3, setAside: 0 });
    expect(spool.state().ready).to.have.property('ready', false);
    expect(told, 'who empties it is told what waits').to.equal(1);
    spool.done(await theFirst(spool));
    expect((await theFirst(spool)).verified).to.deep.equal(delivery(2));
    for (const end of ends) renameSync(`${scene.file}${end}.away`, `${scene.file}${end}`);
    await scene.pass();
    expect(spool.state()).to.deep.include({ depth: 2, ready: { ready: true } });
    await put(4, 'c');
    await scene.reopen();
    expect(await drained()).to.deep.equal([2, 3, 4]);
  });

  it('promises nothing of a batch in whose commit its write-ahead log is emptied', async () => {
    await put(1, 'a');
    inNextCommit(() => truncateSync(`${scene.file}-wal`));
    const failed = left(await scene.spool().put(delivery(2), 'b')());
    expect(failed._tag).to.equal('SpoolFailed');
    expect(failed.detail).to.contain('was overwritten or cut');
    expect(scene.spool().state().ready).to.have.property('ready', false);
  });

  it('says that its write-ahead log was emptied, though nothing comes to it, and promises nothing more', async () => {
    await put(1, 'a');
    const spool = scene.spool();
    truncateSync(`${scene.file}-wal`);
    await scene.pass();
    expect(spool.state().ready).to.have.property('ready', false);
    expect(left(await spool.put(delivery(2), 'b')()).detail).to.contain('was overwritten or cut');
    await scene.pass();
    expect(spool.state().ready).to.have.property('ready', false);
    expect(statSync(`${scene.file}-wal`).size).to.equal(0);
  });

  it('goes on behind a delivery whose key somebody changed in the file: it is of the queue that it waits in', async () => {
    for (const n of [1, 2]) await put(n, 'a');
    const other = new Database(scene.file);
    other.exec("UPDATE deliveries SET key = 'z' WHERE seq = (SELECT min(seq) FROM deliveries)");
    other.close();
    const spool = scene.spool();
    for (const n of [1, 2]) {
      const first = right(await spool.firstOf('a')()) ?? expect.fail('nothing waits');
      expect(first).to.deep.include({ key: 'a', verified: delivery(n) });
      spool.done(first);
    }
    expect(spool.state()).to.deep.include({ depth: 0 });
  });

  it('says that its file was moved, though nothing comes to it', async () => {
    const spool = scene.spool();
    expect(spool.state().ready).to.deep.equal({ ready: true });
    renameSync(scene.file, `${scene.file}-away`);
    await scene.pass();
    expect(spool.state().ready).to.have.property('ready', false);
    renameSync(`${scene.file}-away`, scene.file);
    await scene.pass();
    expect(spool.state().ready).to.deep.equal({ ready: true });
  });

  it('keeps nothing more where the lock was removed that keeps other ledgers out', async () => {
    const path = `${scene.file}.lock`;
    writeFileSync(path, '');
    const lock = held(path) ?? expect.fail('there is no lock');
    const spool = await scene.reopen({ locks: [lock] });
    right(await spool.put(delivery(1), 'a')());
    rmSync(path);
    expect(left(await spool.put(delivery(2), 'b')()).detail).to.contain('another ledger may serve');
    expect((await theFirst(spool)).verified).to.deep.equal(delivery(1));
  });

  it('gives none a second time whose turn was over when its file failed', async () => {
    for (const n of [1, 2, 3]) await put(n, 'a');
    const spool = scene.spool();
    const head = await theFirst(spool);
    const other = new Database(scene.file);
    other.exec('ALTER TABLE deliveries RENAME TO elsewhere');
    spool.done(head);
    await turns();
    expect(left(await spool.firstOf('a')())).to.have.property('_tag', 'SpoolFailed');
    other.exec('ALTER TABLE elsewhere RENAME TO deliveries');
    other.close();
    await scene.pass();
    expect(spool.state()).to.deep.include({ depth: 2, bytes: 2 * entryBytes('body 1'.length) });
    spool.setAside(await theFirst(spool), NOTE);
    expect(await drained()).to.deep.equal([3]);
    expect((await scene.reopen()).state()).to.deep.include({ depth: 0, setAside: 1 });
  });

  it('does not wait again for what was set aside when its file failed', async () => {
    for (const n of [1, 2]) await put(n, 'a');
    const spool = scene.spool();
    const head = await theFirst(spool);
    const other = new Database(scene.file);
    other.exec('ALTER TABLE deliveries RENAME TO elsewhere');
    spool.setAside(head, NOTE);
    await turns();
    other.exec('ALTER TABLE elsewhere RENAME TO deliveries');
    other.close();
    await scene.pass();
    expect(spool.state()).to.deep.include({ depth: 1, setAside: 1 });
    expect((await theFirst(spool)).verified).to.deep.equal(delivery(2));
    expect(right(await spool.setAsideEntries()())).to.have.length(1);
  });

  it('does not wait for what somebody took out by hand', async () => {
    await put(1, 'a');
    await put(2, 'b');
    await scene.reopen();
    const other = new Database(scene.file);
    other.exec('DELETE FROM deliveries');
    other.close();
    expect(right(await scene.spool().firstOf('a')())).to.equal(null);
    expect(scene.spool().state()).to.deep.include({ depth: 0, bytes: 0 });
    expect(scene.spool().holds('a')).to.equal(false);
  });

  /** A note for the next place, as it is left where somebody takes a delivery that was set aside out of its table alone. */
  const leftNote = (beside = ''): Database.Database => {
    const other = new Database(scene.file);
    other.exec(`INSERT INTO set_aside (seq, problem, at) VALUES (2, 'gone', '2026-01-01T00:00:00.000Z'); ${beside}`);
    return other;
  };

  it('removes the note of a delivery that is gone as it is opened', async () => {
    await put(1, 'a');
    const other = leftNote();
    await scene.reopen();
    expect(other.prepare('SELECT seq FROM set_aside').all()).to.deep.equal([]);
    other.close();
  });

  it('lets no delivery be swallowed by a note that is left and can not be removed', async () => {
    await put(1, 'a');
    leftNote("CREATE TRIGGER no_room BEFORE DELETE ON set_aside BEGIN SELECT RAISE(ABORT, 'no room'); END").close();
    await scene.reopen();
    await put(2, 'b');
    await scene.reopen();
    expect(scene.spool().state()).to.include({ depth: 2, setAside: 0 });
    expect(await drained()).to.deep.equal([1, 2]);
  });

  it('says how many of those that waited are gone from its file, and the first of their keys, once', async () => {
    const told: unknown[] = [];
    await scene.reopen({ onNews: (news) => told.push(news) });
    const numbers = Array.from({ length: 8 }, (_, i) => i + 1);
    for (const n of numbers) await put(n, `key ${n}`);
    const spool = scene.spool();
    spool.setAside(await theFirst(spool), NOTE);
    const next = await theFirst(spool);
    const other = new Database(scene.file);
    other.exec("DELETE FROM deliveries WHERE key <> 'key 8'");
    other.close();
    spool.done(next);
    await turns();
    expect(told).to.deep.equal([]);
    for (const n of numbers.slice(2, 7)) expect(right(await spool.firstOf(`key ${n}`)())).to.equal(null);
    const keys = [3, 4, 5, 6, 7].map((n) => `key ${n}`);
    expect(told).to.deep.equal([{ _tag: 'Vanished', deliveries: 5, keys }]);
    expect(spool.state()).to.deep.include({ depth: 1 });
  });

  it('names the first that waits, where somebody took out by hand what waited before it', async () => {
    await put(1, 'a');
    await put(2, 'b');
    const spool = scene.spool();
    expect(spool.state().oldestReceivedAt).to.equal(delivery(1).receivedAt);
    const other = new Database(scene.file);
    other.exec("DELETE FROM deliveries WHERE key = 'a'");
    other.close();
    expect(right(await spool.firstOf('a')())).to.equal(null);
    expect(spool.state()).to.deep.include({ depth: 1, oldestReceivedAt: delivery(2).receivedAt });
  });

  it('answers what is on its way when it is closed, and nothing afterwards', async () => {
    const spool = scene.spool();
    const kept = spool.put(delivery(1), 'a')();
    const closed = spool.close();
    await closed;
    right(await kept);
    expect(left(await spool.put(delivery(2), 'a')())).to.deep.equal({
      _tag: 'SpoolFailed',
      detail: 'the spool is closed',
    });
    expect(left(await spool.firstOf('a')())._tag).to.equal('SpoolFailed');
    await scene.reopen();
    expect(await drained()).to.deep.equal([1]);
  });
});
