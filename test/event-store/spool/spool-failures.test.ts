import Database from 'better-sqlite3';
import { expect } from 'chai';
import { entryBytes } from '../../../src/event-store/spool/entry-bytes.ts';
import { readSpoolState } from '../../../src/event-store/spool/read-spool-state.ts';
import { right } from '../../support/right.ts';
import { delivery, left, NOTE, spoolScene, theFirst, turns, type SpoolScene } from './spool-scene.ts';

describe('a spool whose file fails', () => {
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
});
