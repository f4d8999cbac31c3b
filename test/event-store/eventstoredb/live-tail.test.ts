import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Position } from '../../../src/domain/ids.ts';
import type { EventStore } from '../../../src/event-store/event-store.ts';
import { openEventStoreDbServing } from '../../../src/event-store/eventstoredb/eventstoredb-event-store.ts';
import { startEventStoreDb, type EventStoreDbDouble } from '../../support/eventstoredb/event-store-db-double.ts';
import { right } from '../../support/right.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';

const IN_THE_GAP = 4_000;

describe('the tail of EventStoreDB, after a gap', () => {
  const folder = temporaryFolder();
  let double: EventStoreDbDouble;
  let store: EventStore;
  let seen: number;
  /** What was told of the connection, and how many events had been seen by then. */
  let told: { readonly problem: string | null; readonly seen: number }[];
  before(async () => {
    [seen, told] = [0, []];
    double = await startEventStoreDb();
    const events = {
      onEvents: (some: readonly unknown[]) => {
        seen += some.length;
      },
      onState: (problem: string | null) => told.push({ problem, seen }),
    };
    store = right(await openEventStoreDbServing({ url: double.url, streamPrefix: '', dataDir: folder.path }, events));
  });
  after(async () => {
    await store.close();
    await double.close();
    folder.remove();
  });

  it('says that all is seen once it is, and tells the head of the log, not of what it saw', async () => {
    expect(told.map(({ problem }) => problem)).to.deep.equal([null]);
    await double.stop();
    await until(5_000, 'the loss to be noticed', () => Promise.resolve(told.length > 1 ? true : null));
    const body = { type: 'DeliveryQuarantined', contentType: 'application/json', metadata: Buffer.from('{}') };
    for (let i = 0; i < IN_THE_GAP; i += 1) {
      double.log.write(`quarantine-${i}`, [{ id: randomUUID(), data: Buffer.from('{}'), ...body }]);
    }
    const last = String(double.log.userEvents().at(-1)?.position);
    await double.start();
    const heads: (Position | null)[] = [];
    await until(10_000, 'the tail to be level', async () => {
      if (store.readiness().ready) heads.push(right(await store.head()()));
      return told.at(-1)?.problem === null ? true : null;
    });
    expect(told.at(-1)).to.deep.equal({ problem: null, seen: IN_THE_GAP });
    expect(new Set(heads)).to.deep.equal(new Set([last]));
    expect(right(await store.head()())).to.equal(last);
  }).timeout(20_000);
});
