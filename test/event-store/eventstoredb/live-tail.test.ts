import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Position } from '../../../src/domain/ids.ts';
import type { EventStore } from '../../../src/event-store/event-store.ts';
import { openEventStoreDbServing } from '../../../src/event-store/eventstoredb/eventstoredb-event-store.ts';
import { eventLog } from '../../support/eventstoredb/event-log.ts';
import { startEventStoreDb, type EventStoreDbDouble } from '../../support/eventstoredb/event-store-db-double.ts';
import { right } from '../../support/right.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { anEvent } from '../../support/stored-events.ts';
import { until } from '../../support/until.ts';
import { append, aStream, eventually, idsOf, proposed, stores } from './store-scene.ts';

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

describe('the tail of EventStoreDB, behind a log that was put back from a backup', () => {
  let double: EventStoreDbDouble;
  let open: ReturnType<typeof stores>;
  beforeEach(async () => {
    open = stores();
    double = await startEventStoreDb();
  });
  afterEach(async () => {
    await open.close();
    await double.close();
  });

  /** The same server with another log: the first so many of its events. */
  const putBack = async (events: number): Promise<void> => {
    const { log, port } = double;
    await double.close();
    const shorter = eventLog();
    for (const event of log.userEvents().slice(0, events)) shorter.write(event.stream, [event]);
    double = await startEventStoreDb({ port, log: shorter });
  };

  for (const [what, kept, more] of [
    ['shorter', 3, 0],
    ['as long, and another one', 3, 12],
  ] as const) {
    it(`finds its place in one that is ${what}, once, and shows what comes there`, async () => {
      double.log.write(
        'facts-order-first',
        Array.from({ length: 5 }, () => proposed()),
      );
      const { store, shown, states } = await open.serving(double.url);
      double.log.write(
        'facts-order-second',
        Array.from({ length: 5 }, () => proposed()),
      );
      await eventually('what is there to be shown', () => shown.length >= 5);
      const before = shown.length;

      await putBack(kept);
      double.log.write(
        'facts-order-third',
        Array.from({ length: more }, () => proposed()),
      );
      await eventually('the loss to be told', () => states.length > 1);
      await eventually('the tail to stand again', () => states.at(-1) === null);
      const end = String(double.log.userEvents().at(-1)?.position);
      expect(right(await store.head()())).to.equal(end);

      const ids: string[] = [];
      for (let i = 0; i < 5; i += 1) {
        const stream = aStream();
        const event = anEvent();
        const { position } = await append(store, stream, 'none', event);
        expect(right(await store.head()())).to.equal(position);
        ids.push(event.id);
        await eventually('the event to be shown', () => shown.at(-1)?.id === event.id);
      }
      expect(idsOf(shown.slice(before))).to.deep.equal(ids);
      // Where it loses its place with each event, it is lost again and again.
      expect(states.filter((state) => state === null)).to.have.length(2);
      expect(states.at(-1)).to.equal(null);
    }).timeout(30_000);
  }
});
