import { expect } from 'chai';
import { instantOf } from '../../src/domain/instant.ts';
import { openServing, type SqliteEventStore } from '../../src/event-store/sqlite/sqlite-event-store.ts';
import { EVERY_ORDER } from '../../src/read-models/order-filter.ts';
import type { OrdersQuestion } from '../../src/read-models/read-models.ts';
import { Generations } from '../../src/read-models/sqlite/generations.ts';
import { startReadModels } from '../../src/threads/threaded-read-models.ts';
import { bodyOf, onRamp } from '../support/payloads.ts';
import { deliverUnaware } from '../support/quarantine-scene.ts';
import { right } from '../support/right.ts';
import { runHere } from '../support/run-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const ORDERS: OrdersQuestion = {
  filter: EVERY_ORDER,
  after: null,
  limit: 10,
  now: instantOf(0),
  counted: false,
};

describe('read models that are built anew with another business time zone', () => {
  const { path, remove } = temporaryFolder();
  const readModelFile = `${path}/read-models.db`;
  const location = { kind: 'sqlite', dataDir: path, file: `${path}/events.db` } as const;
  let store: SqliteEventStore;
  before(async () => {
    store = right(await openServing({ dataDir: path, file: location.file }));
    await deliverUnaware(store, bodyOf(onRamp({ orderId: 'of-before' })));
    expect(await runHere(['replay'], { DATA_DIR: path })).to.include({ status: 0 });
  });
  after(async () => {
    await store.close();
    remove();
  });

  it('answer as they were until they are', async () => {
    const generations = right(Generations.open(readModelFile));
    // Whoever has it builds, and nobody else does meanwhile.
    const building = generations.lockBuild();
    const seen: string[] = [];
    const readModels = startReadModels({ location, readModelFile, timeZone: 'Asia/Kolkata' }, ({ _tag }) =>
      seen.push(_tag),
    );
    try {
      const page = await until(20_000, 'an answer', async () => {
        const answer = await readModels.orders(ORDERS)();
        return answer._tag === 'Right' ? answer.right : null;
      });
      expect(page.data.map(({ orderId }) => orderId)).to.deep.equal(['of-before']);
      expect(seen).to.include('Standing').and.not.include('Serving');
      building?.release();
      await until(20_000, 'those with the other zone', () => Promise.resolve(seen.includes('Serving') ? true : null));
    } finally {
      await readModels.close();
      generations.close();
    }
  }).timeout(60_000);
});
