import { join } from 'node:path';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { logEvents } from '../../../src/queries/exports/log-events.ts';
import { EVERY_ORDER } from '../../../src/read-models/order-filter.ts';
import type { Snapshot } from '../../../src/read-models/snapshot.ts';
import { catchUp } from '../../../src/read-models/runner.ts';
import { rebuild } from '../../../src/read-models/sqlite/rebuild/rebuild.ts';
import { Generations } from '../../../src/read-models/sqlite/generations.ts';
import { openTarget } from '../../../src/read-models/sqlite/open-target.ts';
import { openSnapshot } from '../../../src/read-models/sqlite/open-queries.ts';
import { openServing } from '../../../src/event-store/sqlite/sqlite-event-store.ts';
import { bodyOf, onRamp } from '../../support/payloads.ts';
import { deliverUnaware } from '../../support/quarantine-scene.ts';
import { right } from '../../support/right.ts';
import { NOW } from '../../support/route-dependencies.ts';
import { QUIET, rebuildDeps, there } from '../../support/sqlite-read-models.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const idsIn = async (snapshot: Snapshot): Promise<readonly string[]> =>
  right(await snapshot.orders({ filter: EVERY_ORDER, after: null, limit: 500, now: NOW, counted: false })()).data.map(
    ({ orderId }) => orderId,
  );

describe('a snapshot of the read models', () => {
  it('stays where it was opened, whatever is applied and rebuilt beside it', async () => {
    const folder = temporaryFolder();
    const store = right(await openServing({ dataDir: folder.path, file: join(folder.path, 'events.db') }));
    const generations = right(Generations.open(join(folder.path, 'read-models.db')));
    expect(openSnapshot(generations), 'nothing was built').to.equal(null);
    const give = (orderId: string) => deliverUnaware(store, bodyOf(onRamp({ orderId })));
    await give('a');
    right(await rebuild(rebuildDeps(store, generations, 'UTC')));
    const before = there(openSnapshot(generations));
    const target = there(openTarget(generations, 'UTC'));
    await give('b');
    right(await catchUp(store, target, right(await store.head()()), QUIET));
    const after = there(openSnapshot(generations));
    target.close();
    const built = await rebuild(rebuildDeps(store, generations, 'UTC'));
    expect(E.isRight(built)).to.equal(true);
    expect([await idsIn(before), before.progress().checkpoint?.position]).to.deep.equal([['a'], '1']);
    expect([await idsIn(after), after.progress().checkpoint?.position]).to.deep.equal([['b', 'a'], '2']);
    expect(right(await before.ordersAtMost(EVERY_ORDER)())).to.equal(1);
    expect(before.moveOn(), 'what it was opened of serves no more').to.equal('replaced');
    expect(await idsIn(before)).to.deep.equal(['a']);
    expect(right(await after.ordersAtMost({ ...EVERY_ORDER, flow: 'offramp' })())).to.equal(0);
    await before.close();
    await after.close();
    generations.close();
    await store.close();
    folder.remove();
  });

  it('is where the read models are once it is moved on, and stays there', async () => {
    const folder = temporaryFolder();
    const store = right(await openServing({ dataDir: folder.path, file: join(folder.path, 'events.db') }));
    const generations = right(Generations.open(join(folder.path, 'read-models.db')));
    const give = (orderId: string) => deliverUnaware(store, bodyOf(onRamp({ orderId })));
    await give('a');
    right(await rebuild(rebuildDeps(store, generations, 'UTC')));
    const target = there(openTarget(generations, 'UTC'));
    const snapshot = there(openSnapshot(generations));
    const project = async () => right(await catchUp(store, target, right(await store.head()()), QUIET));
    await give('b');
    await project();
    expect(await idsIn(snapshot)).to.deep.equal(['a']);
    expect(snapshot.moveOn()).to.equal('moved');
    await give('c');
    await project();
    expect([await idsIn(snapshot), snapshot.progress().checkpoint?.position]).to.deep.equal([['b', 'a'], '2']);
    target.close();
    await snapshot.close();
    generations.close();
    await store.close();
    folder.remove();
  });

  it('answers no more once it keeps more from being given back than the disk has room for, and the next one does', async () => {
    const folder = temporaryFolder();
    const store = right(await openServing({ dataDir: folder.path, file: join(folder.path, 'events.db') }));
    const generations = right(Generations.open(join(folder.path, 'read-models.db')));
    right(await rebuild(rebuildDeps(store, generations, 'UTC')));
    const target = there(openTarget(generations, 'UTC'));
    const open = (longestJournal: number) => there(openSnapshot(generations, () => undefined, longestJournal));
    const [long, short] = [open(1_073_741_824), open(20_000)];
    expect(await idsIn(short)).to.deep.equal([]);
    for (const orderId of ['a', 'b', 'c']) {
      await deliverUnaware(store, bodyOf(onRamp({ orderId })));
      right(await catchUp(store, target, right(await store.head()()), QUIET));
    }
    const asked = await short.orders({ filter: EVERY_ORDER, after: null, limit: 1, now: NOW, counted: false })();
    expect(asked).to.have.nested.property('left._tag', 'ReadModelsUnavailable');
    expect(await idsIn(long)).to.deep.equal([]);
    const next = open(20_000);
    expect(await idsIn(next)).to.have.length(3);
    for (const snapshot of [long, short, next]) await snapshot.close();
    target.close();
    generations.close();
    await store.close();
    folder.remove();
  });

  it('is let go of by an export of the whole log before its first row', async () => {
    const folder = temporaryFolder();
    const store = right(await openServing({ dataDir: folder.path, file: join(folder.path, 'events.db') }));
    const generations = right(Generations.open(join(folder.path, 'read-models.db')));
    await deliverUnaware(store, bodyOf(onRamp({ orderId: 'a' })));
    right(await rebuild(rebuildDeps(store, generations, 'UTC')));
    let isOpen = true;
    const snapshot = there(openSnapshot(generations, () => (isOpen = false)));
    const seen: (readonly [number, boolean])[] = [];
    const asked = { filter: { type: null, from: null, to: null }, q: null };
    for await (const batch of logEvents({ snapshot, store }, asked)) seen.push([right(batch).length, isOpen]);
    expect(seen).to.deep.equal([[1, false]]);
    generations.close();
    await store.close();
    folder.remove();
  });
});
