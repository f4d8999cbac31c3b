import Database from 'better-sqlite3';
import { expect } from 'chai';
import { right } from '../../support/right.ts';
import { delivery, NOTE, spoolScene, theFirst, turns, type SpoolScene } from './spool-scene.ts';

describe('a spool whose rows somebody changes by hand', () => {
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
});
