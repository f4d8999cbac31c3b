import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { branded } from '../../src/domain/brand.ts';
import type { Position, Revision } from '../../src/domain/ids.ts';
import { orderEvent } from '../../src/domain/new-event.ts';
import { positionAt } from '../../src/domain/position.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import type { Examination } from '../../src/event-store/examination.ts';
import { examineServer } from '../../src/event-store/eventstoredb/examine-server.ts';
import { openEventStoreDb } from '../../src/event-store/eventstoredb/eventstoredb-event-store.ts';
import { isLocked, takeLock } from '../../src/event-store/sqlite/exclusive-lock.ts';
import { examineFile } from '../../src/event-store/sqlite/examine-file.ts';
import { openServing } from '../../src/event-store/sqlite/sqlite-event-store.ts';
import { eventStoreDbUnderTest } from '../support/eventstoredb-under-test.ts';
import { bodyOf, onRamp, orderContent, signatureOf, verifiedDelivery } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

type Scene = { readonly store: EventStore; readonly examination: Examination; readonly close: () => Promise<void> };

const onSqlite = async (): Promise<Scene> => {
  const { path, remove } = temporaryFolder();
  const file = `${path}/events.db`;
  const store = right(await openServing({ file, dataDir: path }));
  const close = async (): Promise<void> => {
    await store.close();
    remove();
  };
  return { store, examination: right(examineFile(file)), close };
};

const onEventStoreDb = async (): Promise<Scene> => {
  const server = await eventStoreDbUnderTest();
  const location = { url: server.url, streamPrefix: server.streamPrefix, dataDir: '/nowhere' };
  const store = right(openEventStoreDb(location));
  const close = async (): Promise<void> => {
    await store.close();
    await server.close();
  };
  return { store, examination: right(examineServer(location)), close };
};

const append = async (store: EventStore, statuses: readonly string[]): Promise<readonly Position[]> => {
  const positions: Position[] = [];
  for (const [step, status] of statuses.entries()) {
    const body = bodyOf(onRamp({ orderId: 'ord-1', status }));
    const verified = verifiedDelivery(body, { signature: signatureOf(body) });
    const { stream, event } = orderEvent(verified, orderContent(body.toString()));
    const expected = step === 0 ? 'none' : branded<Revision>(step - 1);
    positions.push(right(await store.append(stream, expected, [event])()).position);
  }
  return positions;
};

for (const [name, open] of [
  ['SQLite', onSqlite],
  ['EventStoreDB', onEventStoreDb],
] as const) {
  describe(`a look at an event store: ${name}`, () => {
    let scene: Scene;
    beforeEach(async () => {
      scene = await open();
    });
    afterEach(async () => {
      await scene.examination.close();
      await scene.close();
    });

    it('gives the last events, newest first, beside the ledger that serves', async () => {
      const { store, examination } = scene;
      expect(right(await examination.newest(5)())).to.deep.equal([]);
      const positions = await append(store, ['fiatPending', 'orderReceived', 'completed']);
      const newest = right(await examination.newest(2)());
      expect(newest.map(({ position }) => position)).to.deep.equal(positions.slice(1).toReversed());
      expect(right(await examination.newest(5)())).to.have.lengthOf(3);
      expect(right(await examination.about())).to.be.a('string');
    });

    it('finds the event at a position, and none where there is none', async () => {
      const { store, examination } = scene;
      const [first, second] = await append(store, ['fiatPending', 'completed']);
      for (const position of [first, second]) {
        if (position !== undefined) expect(right(await examination.at(position)())?.position).to.equal(position);
      }
      expect(right(await examination.at(positionAt(987_654_321))())).to.equal(null);
    });
  });
}

describe('a look at a damaged event store', () => {
  it('says that it is damaged, and how it is brought back, where its pages are found so while they are read', async () => {
    const { path, remove } = temporaryFolder();
    const file = `${path}/events.db`;
    const store = right(await openServing({ file, dataDir: path }));
    await append(
      store,
      Array.from({ length: 40 }, () => 'fiatPending'),
    );
    await store.close();
    const bytes = readFileSync(file);
    // The header and the tables' own page are whole: it opens.
    writeFileSync(file, bytes.fill(0x5a, 4_096));
    const examination = right(examineFile(file));
    const found = await examination.newest(5)();
    expect(found)
      .to.have.nested.property('left.detail')
      .that.matches(/events\.db is damaged \(.*malformed/);
    expect(found)
      .to.have.nested.property('left.cure')
      .that.matches(/restore it from a backup/);
    await examination.close();
    remove();
  });
});

describe('a look at a lock', () => {
  it("sees whether it is taken, makes nothing, and is in nobody's way", () => {
    const { path, remove } = temporaryFolder();
    const file = `${path}/a.lock`;
    expect(right(isLocked(file))).to.equal(false);
    const lock = right(takeLock(file, 'it'));
    expect(right(isLocked(file))).to.equal(true);
    lock.release();
    expect(right(isLocked(file))).to.equal(false);
    right(takeLock(file, 'it')).release();
    remove();
  });
});
