import { copyFileSync } from 'node:fs';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import type { Position } from '../../src/domain/ids.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { openServing, type SqliteEventStore } from '../../src/event-store/sqlite/sqlite-event-store.ts';
import { EVERY_ORDER } from '../../src/read-models/order-filter.ts';
import type { OrdersQuestion, ReportQuestion } from '../../src/read-models/read-models.ts';
import { Generations } from '../../src/read-models/sqlite/generations.ts';
import { IncludedFloor, type Reached } from '../../src/threads/included-floor.ts';
import { startReadModels, type ThreadedReadModels } from '../../src/threads/threaded-read-models.ts';
import { startStreams, type ThreadedStreams } from '../../src/threads/threaded-streams.ts';
import { bodyOf, onRamp } from '../support/payloads.ts';
import { deliverUnaware } from '../support/quarantine-scene.ts';
import { right } from '../support/right.ts';
import { runHere } from '../support/run-here.ts';
import { there } from '../support/sqlite-read-models.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const NOW = instantOf(0);
const ORDERS: OrdersQuestion = { filter: EVERY_ORDER, after: null, limit: 10, now: NOW, counted: false };
const REPORT: ReportQuestion = {
  flow: 'onramp',
  basis: 'created',
  from: null,
  to: null,
  groupBy: [],
};

const nothing = (): Promise<void> => Promise.resolve();

/** How often a foreign generation is put in the place of what serves. */
const TIMES = 6;

describe("a generation of another ledger's log that is taken into use", () => {
  const folders = [temporaryFolder(), temporaryFolder()] as const;
  const [own, foreign] = folders;
  const stores: SqliteEventStore[] = [];
  const readModelFile = `${own.path}/read-models.db`;
  const location = { kind: 'sqlite', dataDir: own.path, file: `${own.path}/events.db` } as const;
  let swaps = 0;
  let generations: Generations;
  let readModels: ThreadedReadModels;
  let streams: ThreadedStreams;
  let disowned = 0;
  /** How often one was followed when it was told that what serves is of another log. */
  let stillFollowed = 0;
  /** Where the own log ends. */
  let head: Position;

  before(async () => {
    for (const [{ path }, orderIds] of [
      [own, ['own']],
      [foreign, ['foreign-1', 'foreign-2', 'foreign-3']],
    ] as const) {
      const store = right(await openServing({ dataDir: path, file: `${path}/events.db` }));
      stores.push(store);
      for (const orderId of orderIds) await deliverUnaware(store, bodyOf(onRamp({ orderId })));
      expect(await runHere(['replay'], { DATA_DIR: path })).to.include({ status: 0 });
    }
    head = there(right(await there(stores[0]).head()()));
    generations = right(Generations.open(readModelFile));
  });
  after(async () => {
    await Promise.all([readModels.close(), streams.close()]);
    generations.close();
    await Promise.all(stores.map((store) => store.close()));
    for (const folder of folders) folder.remove();
  });

  const swapIn = (): void => {
    const next = generations.next();
    copyFileSync(`${foreign.path}/read-models.db.g1`, generations.fileOf(next));
    if (generations.swap(generations.serving(), next)) swaps += 1;
  };

  /** How many orders each kind of question finds; null where it is not answered now. */
  const found = async (): Promise<readonly (number | null)[]> => {
    const asOf = { checkpoint: { position: head, at: NOW } };
    const terms = { format: 'ndjson', personal: 'masked', filters: {}, timeZone: 'UTC', now: NOW } as const;
    const exported = async (): Promise<number | null> => {
      const made = await streams.exporter({ ...terms, kind: 'orders', filter: EVERY_ORDER })();
      if (E.isLeft(made)) return null;
      let text = '';
      for await (const piece of made.right.pieces) text += Buffer.from(right(piece)).toString();
      await made.right.close();
      return text.split('"orderId":').length - 1;
    };
    const lists = [ORDERS, { ...ORDERS, asOf }].map(async (question) => {
      const page = await readModels.orders(question)();
      return E.isRight(page) ? page.right.data.length : null;
    });
    const report = async (): Promise<number | null> => {
      const made = await readModels.report(REPORT)();
      return E.isRight(made) ? made.right.totals.reduce((sum, { orders }) => sum + orders, 0) : null;
    };
    return Promise.all([...lists, report(), exported()]);
  };

  const expectOwn = async (): Promise<readonly (number | null)[]> => {
    const orders = await found();
    for (const count of orders) expect(count, JSON.stringify(orders)).to.be.oneOf([1, null]);
    return orders;
  };

  it('answers not one question, whether it is found at the start or comes later', async () => {
    swapIn();
    readModels = startReadModels({ location, readModelFile, timeZone: 'UTC' }, ({ _tag }) => {
      if (_tag !== 'OfAnotherLog') return;
      disowned += 1;
      // Opens only where something is followed.
      const opened = (): null => {
        stillFollowed += 1;
        return null;
      };
      void new IncludedFloor(readModels.floor).reachedBy<Reached>(opened, (it) => it, nothing);
    });
    streams = startStreams({ location, readModelFile, floor: readModels.floor }, () => []);
    await expectOwn();
    for (let i = 0; i < TIMES; i += 1) {
      await until(20_000, 'all to be answered', async () => ((await expectOwn()).includes(null) ? null : true));
      swapIn();
      await until(20_000, 'it to be found', async () => {
        await expectOwn();
        return disowned === swaps ? true : null;
      });
    }
    expect(stillFollowed).to.equal(0);
  }).timeout(120_000);
});
