import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { held } from '../../../src/event-store/kept-place.ts';
import { mayHoldDeliveries } from '../../../src/event-store/spool/may-hold-deliveries.ts';
import { openSpoolFile } from '../../../src/event-store/spool/open-spool-file.ts';
import { readSpoolState } from '../../../src/event-store/spool/read-spool-state.ts';
import { openServing } from '../../../src/event-store/sqlite/sqlite-event-store.ts';
import { right } from '../../support/right.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { delivery, left, NOTE, spoolScene, theFirst, turns } from './spool-scene.ts';

describe('open-spool-file', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let file = '';
  beforeEach(() => {
    folder = temporaryFolder();
    file = `${folder.path}/spool.db`;
  });
  afterEach(() => folder.remove());

  /** Both refuse the file, with one line that names it, and leave it as it is. */
  const refusedAs = (tag: string): void => {
    const before = readFileSync(file);
    for (const error of [left(openSpoolFile(file)), left(readSpoolState(file))]) {
      expect(error._tag, error.detail).to.equal(tag);
      expect(error.detail).to.include(file).and.not.include('\n');
    }
    expect(readFileSync(file)).to.deep.equal(before);
  };

  it('refuses the database of another program', () => {
    const other = new Database(file);
    other.exec('CREATE TABLE t (a)');
    other.close();
    refusedAs('SpoolNotALedger');
  });

  it('refuses a log of events', async () => {
    await right(await openServing({ dataDir: folder.path, file })).close();
    refusedAs('SpoolNotALedger');
  });

  it('refuses a spool of a newer ledger', () => {
    right(openSpoolFile(file)).close();
    const other = new Database(file);
    other.pragma('user_version = 2');
    other.close();
    refusedAs('SpoolOfNewerSchema');
  });

  it('refuses to make one beside the write-ahead log of one that is gone, and leaves that as it is', () => {
    const log = Buffer.from('what was answered 202');
    writeFileSync(`${file}-wal`, log);
    for (const error of [left(openSpoolFile(file)), left(readSpoolState(file))]) {
      expect(error).to.include({ _tag: 'SpoolUnusable' });
      expect(error.detail).to.match(/spool\.db is not there or empty, and .*spool\.db-wal holds/);
    }
    expect(readFileSync(`${file}-wal`)).to.deep.equal(log);
    expect(readdirSync(folder.path)).to.deep.equal(['spool.db-wal']);
  });

  it('refuses a link to a file that is not there, makes none, and takes an empty one that is made for it', () => {
    const target = `${folder.path}/volume/spool.db`;
    mkdirSync(`${folder.path}/volume`);
    symlinkSync(target, file);
    for (const error of [left(openSpoolFile(file)), left(readSpoolState(file))]) {
      expect(error).to.include({ _tag: 'SpoolUnusable' });
      expect(error.detail).to.equal(
        `${file} is a link to ${target}, which is not there; what was answered 202 may wait in it`,
      );
    }
    expect(mayHoldDeliveries(file)).to.equal(true);
    expect(readdirSync(`${folder.path}/volume`)).to.deep.equal([]);
    writeFileSync(target, '');
    right(openSpoolFile(file)).close();
    expect(right(readSpoolState(file))).to.include({ depth: 0 });
  });

  it('refuses a spool that has a second name, by which another ledger could write to it', () => {
    right(openSpoolFile(file)).close();
    linkSync(file, `${folder.path}/other.db`);
    const { _tag, detail, cure } = left(openSpoolFile(file));
    expect(_tag).to.equal('SpoolShared');
    expect(`${detail}; ${cure}`).to.match(/spool\.db has 2 names \(hard links\).*wal_checkpoint\(TRUNCATE\)/);
  });

  for (const [what, harm, words] of [
    ['is gone, and makes none', (path: string) => rmSync(path), /removed, moved or exchanged/],
    ['was emptied, and makes no tables in it', (path: string) => truncateSync(path), /overwritten or cut/],
  ] as const) {
    it(`refuses a spool that it had open before where that ${what}`, () => {
      right(openSpoolFile(file)).close();
      const known = held(file) ?? expect.fail('there is no file');
      right(openSpoolFile(file, [], known)).close();
      harm(file);
      const before = readdirSync(folder.path);
      expect(left(openSpoolFile(file, [], known)).detail).to.match(words);
      expect(readdirSync(folder.path).filter((name) => name === 'spool.db')).to.deep.equal(before);
      if (before.length > 0) expect(statSync(file).size).to.equal(0);
    });
  }

  it('refuses what is no database', () => {
    writeFileSync(file, 'no database, for longer than the header of one '.repeat(10));
    refusedAs('SpoolDamaged');
  });

  it('refuses a spool with a page that is none', async () => {
    const scene = await spoolScene();
    right(await scene.spool().put(delivery(1, 'x'.repeat(50_000)), 'a')());
    await scene.spool().close();
    const bytes = readFileSync(scene.file);
    writeFileSync(scene.file, bytes.fill(0x5a, 4_096, 4_096 * 4));
    const error = left(openSpoolFile(scene.file));
    expect(error._tag).to.equal('SpoolDamaged');
    expect(error.detail).to.include(scene.file).and.not.include('\n');
    await scene.end();
  });

  it('refuses a folder that is not there', () => {
    expect(left(openSpoolFile(`${folder.path}/none/spool.db`))._tag).to.equal('SpoolUnusable');
  });

  it('lets nobody but its owner read it', async () => {
    const scene = await spoolScene();
    const modes = (): readonly number[] =>
      ['', '-wal', '-shm'].map((end) => statSync(`${scene.file}${end}`).mode & 0o777);
    right(await scene.spool().put(delivery(1), 'a')());
    expect(modes()).to.deep.equal([0o600, 0o600, 0o600]);
    await scene.spool().close();
    chmodSync(scene.file, 0o644);
    right(await (await scene.reopen()).put(delivery(2), 'a')());
    expect(modes()).to.deep.equal([0o600, 0o600, 0o600]);
    await scene.end();
  });

  it('gives back what the write-ahead log took once nothing waits', async () => {
    const scene = await spoolScene();
    right(await scene.spool().put(delivery(1, 'x'.repeat(50_000)), 'a')());
    expect(statSync(`${scene.file}-wal`).size).to.be.above(50_000);
    await scene.drain();
    await turns();
    expect(statSync(`${scene.file}-wal`).size).to.equal(0);
    await scene.end();
  });

  it('uses no other file', () => {
    right(openSpoolFile(file)).close();
    expect(readdirSync(folder.path)).to.deep.equal(['spool.db']);
  });
});

describe('read-spool-state', () => {
  it('finds nothing where there is no file, and makes none', () => {
    const folder = temporaryFolder();
    expect(right(readSpoolState(`${folder.path}/spool.db`))).to.equal(null);
    expect(readdirSync(folder.path)).to.deep.equal([]);
    folder.remove();
  });

  it('finds what the spool of a ledger that serves holds, and of one that does not', async () => {
    const scene = await spoolScene();
    for (const n of [1, 2, 3]) right(await scene.spool().put(delivery(n), `key ${n}`)());
    scene.spool().setAside(await theFirst(scene.spool()), NOTE);
    const setAside = right(await scene.spool().setAsideEntries()());
    const { depth, bytes, oldestReceivedAt } = scene.spool().state();
    expect(setAside).to.have.length(1);
    const expected = { depth, bytes, oldestReceivedAt, setAside };
    expect(right(readSpoolState(scene.file))).to.deep.equal(expected);
    expect(oldestReceivedAt).to.equal(delivery(2).receivedAt);
    await scene.spool().close();
    expect(right(readSpoolState(scene.file))).to.deep.equal(expected);
    await scene.reopen();
    await scene.drain();
    await turns();
    expect(right(readSpoolState(scene.file))).to.deep.include({ depth: 0, oldestReceivedAt: null, setAside });
    await scene.end();
  });
});
