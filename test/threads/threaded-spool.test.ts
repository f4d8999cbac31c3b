import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { endThreads } from '../../src/loading/start-thread.ts';
import type { ThreadState } from '../../src/threads/lasting-thread.ts';
import { openThreadedSpool } from '../../src/threads/threaded-spool.ts';
import { delivery, NOTE, theFirst } from '../event-store/spool/spool-scene.ts';
import { right } from '../support/right.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const WAIT_MS = 20_000;
const ROOM = { mostBytes: 1e8, longestBody: 1_000 };

describe('a spool in a thread of its own', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let keeper: Parameters<typeof openThreadedSpool>[0];
  beforeEach(() => {
    folder = temporaryFolder();
    keeper = { file: `${folder.path}/spool.db`, locks: [] };
  });
  afterEach(() => folder.remove());

  it('gives back what was put, and leaves the bytes to whoever else has them', async () => {
    const spool = right(await openThreadedSpool(keeper, ROOM));
    // Of a pool that others have their bytes in too.
    const bodies = [1, 2, 3].map((n) => delivery(n, `body ${n}`));
    await Promise.all(bodies.map((one, i) => spool.put(one, `key ${i}`)().then(right)));
    expect(bodies.map(({ body }) => body.toString())).to.deep.equal(['body 1', 'body 2', 'body 3']);
    for (const [i, one] of bodies.entries()) {
      const first = right(await spool.firstOf(`key ${i}`)());
      expect(first?.verified).to.deep.equal(one);
      if (first !== null && i === 0) spool.setAside(first, NOTE);
    }
    expect(right(await spool.setAsideEntries()())).to.have.length(1);
    await spool.close();
  });

  it('has all that waits, also where that is far more than is counted at once', async () => {
    const many = 2_500;
    const spool = right(await openThreadedSpool(keeper, ROOM));
    const kept = await Promise.all(Array.from({ length: many }, (_, n) => spool.put(delivery(n + 1), `key ${n}`)()));
    expect(kept.every(E.isRight)).to.equal(true);
    await spool.close();
    const again = right(await openThreadedSpool(keeper, ROOM));
    expect(again.state().oldestReceivedAt).to.equal(delivery(1).receivedAt);
    await until(WAIT_MS, 'all to be counted', () => Promise.resolve(again.state().isCounting ? null : true));
    expect(again.state()).to.deep.include({ depth: many, oldestReceivedAt: delivery(1).receivedAt });
    await again.close();
  });

  it('keeps nothing while the thread that died is started again, says so, and has then what it promised', async () => {
    const states: ThreadState[] = [];
    let found = 0;
    const onState = (_: string, state: ThreadState): void => {
      states.push(state);
      if (state._tag === 'Down') found = 0;
    };
    const spool = right(await openThreadedSpool(keeper, ROOM, onState));
    right(await spool.put(delivery(1), 'a')());
    spool.onWaiting(() => {
      found += 1;
    });
    const underWay = spool.put(delivery(2), 'b')();
    await endThreads();
    const answer = await underWay;
    // What was under way may have been answered before the end: then nothing but the thread's own state says that it is gone,
    // until the file is opened anew, and who empties it is told what waits.
    await until(WAIT_MS, 'the thread to work again', () =>
      Promise.resolve(states.at(-1)?._tag === 'Works' && spool.state().ready.ready && found > 0 ? true : null),
    );
    expect(states[0])
      .to.have.property('problem')
      .that.matches(/^thread spool has ended/);
    expect((await theFirst(spool)).verified).to.deep.equal(delivery(1));
    if (E.isRight(answer)) expect(spool.holds('b')).to.equal(true);
    right(await spool.put(delivery(3), 'c')());
    await spool.close();
  }).timeout(60_000);

  for (const [what, exchange] of [
    ['moved away', () => undefined],
    ['exchanged for a copy', (file: string) => copyFileSync(`${file}.kept`, file)],
  ] as const) {
    it(`makes and takes no other file where the thread dies after its own was ${what}, and goes on with all that waited once that is back`, async () => {
      const { file } = keeper;
      const states: ThreadState[] = [];
      const spool = right(await openThreadedSpool(keeper, ROOM, (_, state) => states.push(state)));
      for (const n of [1, 2, 3]) right(await spool.put(delivery(n), `key ${n}`)());
      const ends = ['', '-wal', '-shm'];
      for (const end of ends) renameSync(`${file}${end}`, `${file}${end}.kept`);
      exchange(file);
      await endThreads();
      await until(WAIT_MS, 'a new thread', () => Promise.resolve(states.at(-1)?._tag === 'Works' ? true : null));
      // It has nothing open.
      expect(E.isLeft(await spool.put(delivery(4), 'key 4')())).to.equal(true);
      await until(WAIT_MS, 'it to have tried to open the file', () => {
        const { ready } = spool.state();
        return Promise.resolve(ready.ready || ready.detail.includes('removed, moved or exchanged') ? true : null);
      });
      const { ready, depth } = spool.state();
      expect({ isReady: ready.ready, depth, isThere: existsSync(file) }).to.deep.equal({
        isReady: false,
        depth: 3,
        isThere: what !== 'moved away',
      });
      expect(E.isLeft(await spool.put(delivery(4), 'key 4')()), 'nothing is promised').to.equal(true);
      for (const end of ends) {
        rmSync(`${file}${end}`, { force: true });
        if (existsSync(`${file}${end}.kept`)) renameSync(`${file}${end}.kept`, `${file}${end}`);
      }
      await until(WAIT_MS, 'the file to be used again', () => Promise.resolve(spool.state().ready.ready ? true : null));
      expect(spool.state().depth).to.equal(3);
      for (const n of [1, 2, 3]) expect(right(await spool.firstOf(`key ${n}`)())?.verified).to.deep.equal(delivery(n));
      right(await spool.put(delivery(5), 'key 5')());
      await spool.close();
    }).timeout(60_000);
  }

  it('is refused in one line where its file can not be used', async () => {
    const opened = await openThreadedSpool({ ...keeper, file: `${folder.path}/none/spool.db` }, ROOM);
    expect(E.isLeft(opened) ? opened.left._tag : null).to.equal('SpoolUnusable');
  });
});
