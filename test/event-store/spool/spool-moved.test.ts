import { renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { held } from '../../../src/event-store/kept-place.ts';
import { right } from '../../support/right.ts';
import { delivery, left, spoolScene, theFirst, type SpoolScene } from './spool-scene.ts';

describe('a spool whose files are moved, exchanged or emptied', () => {
  let scene: SpoolScene;
  beforeEach(async () => {
    scene = await spoolScene();
  });
  afterEach(() => scene.end());

  const put = async (n: number, key: string): Promise<void> => {
    right(await scene.spool().put(delivery(n), key)());
  };

  /** The numbers of the deliveries that wait, in order; takes them out. */
  const drained = async (): Promise<readonly number[]> =>
    (await scene.drain()).map(({ verified }) => Number(verified.requestId.slice('request-'.length)));

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
});
