import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { businessCalendar } from '../../../src/domain/business-day.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import type { RecordedEvent } from '../../../src/domain/recorded-event.ts';
import type { EventStore } from '../../../src/event-store/event-store.ts';
import type { PartedLog } from '../../../src/event-store/parted-log.ts';
import { projectBatch, type ProjectionBatch } from '../../../src/read-models/projection-batch.ts';
import { StreamMemory } from '../../../src/read-models/stream-memory.ts';
import { catchUp } from '../../../src/read-models/runner.ts';
import { openForWriting } from '../../../src/read-models/sqlite/generation.ts';
import { Generations } from '../../../src/read-models/sqlite/generations.ts';
import { ProjectionStore } from '../../../src/read-models/sqlite/projection-store.ts';
import { rebuild } from '../../../src/read-models/sqlite/rebuild/rebuild.ts';
import { inBatches } from '../../support/in-batches.ts';
import { offRamp, onRamp } from '../../support/payloads.ts';
import { playedLedger, scripts } from '../../support/ledger-script.ts';
import { right } from '../../support/right.ts';
import { runs } from '../../support/runs.ts';
import { contentOf } from '../../support/generation-content.ts';
import { QUIET, rebuildDeps, there } from '../../support/sqlite-read-models.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ZONE = 'Asia/Kolkata';
/** Of a runner's memory, in bytes: that of a ledger takes longer to make than a batch to project. */
const LITTLE_MEMORY = 65_536;

const eventsOf = (store: EventStore): Promise<readonly RecordedEvent[]> => Array.fromAsync(store.readAll(null), right);

const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 4 });

describe('the projections of a generation', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let generations: Generations;
  let opened: Database.Database[] = [];

  beforeEach(() => {
    folder = temporaryFolder();
    generations = right(Generations.open(join(folder.path, 'read-models.db')));
  });
  afterEach(() => {
    for (const database of opened) database.close();
    opened = [];
    generations.close();
    folder.remove();
  });

  /** A generation that was built from all that is in the log. */
  const built = async (store: EventStore & PartedLog): Promise<Database.Database> => {
    right(await rebuild(rebuildDeps(store, generations, ZONE)));
    return connection();
  };
  const connection = (): Database.Database => {
    const database = openForWriting(generations.fileOf(generations.serving()));
    opened.push(database);
    return database;
  };
  const storeOn = (database: Database.Database): ProjectionStore =>
    new ProjectionStore(database, businessCalendar(ZONE));

  it('come to the same, byte for byte, in batches of any sizes and from scratch', async () => {
    await fc.assert(
      fc.asyncProperty(scripts(30), fc.array(fc.nat(12), { maxLength: 3 }), sizes, async (steps, pieces, of) => {
        const ledger = playedLedger();
        const database = await built(ledger.store);
        const target = storeOn(database);
        let done = 0;
        for (const piece of [...pieces, steps.length]) {
          await ledger.play(steps.slice(done, done + piece));
          done += piece;
          right(await catchUp(inBatches(ledger.store, of), target, right(await ledger.store.head()()), QUIET));
          expect(contentOf(database)).to.deep.equal(contentOf(await built(ledger.store)));
        }
      }),
      { numRuns: runs(12) },
    );
  });

  it('go on from what was built', async () => {
    await fc.assert(
      fc.asyncProperty(scripts(30), fc.nat(30), sizes, async (steps, split, of) => {
        const ledger = playedLedger();
        await ledger.play(steps.slice(0, split));
        const database = await built(ledger.store);
        await ledger.play(steps.slice(split));
        right(await catchUp(inBatches(ledger.store, of), storeOn(database), right(await ledger.store.head()()), QUIET));
        expect(contentOf(database)).to.deep.equal(contentOf(await built(ledger.store)));
      }),
      { numRuns: runs(12) },
    );
  });

  it('go on from what was built where the utr of an order is its id, and another has it too', async () => {
    const paid = (orderId: string) => ({
      receivedAt: instantOf(1),
      requestId: null,
      putAway: false,
      body: JSON.stringify(offRamp({ orderId, status: 'PayoutSuccess', utr: 'UTR-1' })),
    });
    const ledger = playedLedger();
    const database = await built(ledger.store);
    await ledger.play(['UTR-1', 'order-b'].map(paid));
    right(await catchUp(inBatches(ledger.store, [1]), storeOn(database), right(await ledger.store.head()()), QUIET));
    expect(contentOf(database)).to.deep.equal(contentOf(await built(ledger.store)));
  });

  /** What some events change. */
  const batchOf = async (store: EventStore, [first, ...rest]: readonly RecordedEvent[]): Promise<ProjectionBatch> =>
    right(await projectBatch(store, [there(first), ...rest], new StreamMemory(LITTLE_MEMORY)));

  it('leave few runs of terms, which are merged beside the batches', async () => {
    const ledger = playedLedger();
    const database = await built(ledger.store);
    const sent = { receivedAt: instantOf(0), requestId: null, putAway: false };
    const bodies = Array.from({ length: 40 }, (_, i) => JSON.stringify(onRamp({ orderId: `order ${i}` })));
    await ledger.play(bodies.map((body) => ({ ...sent, body })));
    const target = storeOn(database);
    const runsOf = database.prepare<[string], number>('SELECT count(*) FROM term_runs WHERE kind = ?').pluck();
    const apply = target.apply.bind(target);
    let most = 0;
    const counting = {
      checkpoint: () => target.checkpoint(),
      settle: () => target.settle(),
      apply: (...batch: Parameters<typeof apply>) => {
        const outcome = apply(...batch);
        most = Math.max(most, Number(runsOf.get('id')));
        return outcome;
      },
    };
    right(await catchUp(inBatches(ledger.store, [1]), counting, right(await ledger.store.head()()), QUIET));
    expect(most).to.be.greaterThan(16);
    expect(runsOf.get('id')).to.be.below(16);
    expect(contentOf(database)).to.deep.equal(contentOf(await built(ledger.store)));
  });

  it('change nothing where they were overtaken', async () => {
    await fc.assert(
      fc.asyncProperty(scripts(12), fc.nat(20), async (steps, at) => {
        const ledger = playedLedger();
        const database = await built(ledger.store);
        const [one, other] = [storeOn(database), storeOn(connection())];
        await ledger.play(steps);
        const events = await eventsOf(ledger.store);
        const size = 1 + (at % events.length);
        const first = await batchOf(ledger.store, events.slice(0, size));
        expect(one.apply(null, first)).to.equal('applied');
        const content = contentOf(database);
        const stale = [null, ...events.map(({ position }) => position)].filter(
          (place) => place !== first.checkpoint.position,
        );
        for (const place of stale) {
          expect(one.apply(place, first)).to.equal('overtaken');
          expect(other.apply(place, await batchOf(ledger.store, events))).to.equal('overtaken');
        }
        expect(contentOf(database)).to.deep.equal(content);
        if (size === events.length) return;
        expect(other.apply(first.checkpoint.position, await batchOf(ledger.store, events.slice(size)))).to.equal(
          'applied',
        );
        expect(contentOf(database)).to.deep.equal(contentOf(await built(ledger.store)));
      }),
      { numRuns: runs(7) },
    );
  });

  it('come to the same where two stores write them by turns, neither of which is overtaken', async () => {
    const ledger = playedLedger();
    const database = await built(ledger.store);
    const stores = [storeOn(database), storeOn(connection())];
    const sent = { receivedAt: instantOf(0), requestId: null, putAway: false };
    const bodies = ['fiatPending', 'orderReceived', 'fiatReceived'].map((status) => onRamp({ orderId: 'a', status }));
    await ledger.play(bodies.map((body) => ({ ...sent, body: JSON.stringify(body) })));
    const events = await eventsOf(ledger.store);
    for (const [i, event] of events.entries()) {
      const after = events[i - 1]?.position ?? null;
      expect(there(stores[i % 2]).apply(after, await batchOf(ledger.store, [event]))).to.equal('applied');
    }
    expect(contentOf(database)).to.deep.equal(contentOf(await built(ledger.store)));
  });

  it('come to the same where two runners write them at once', async () => {
    await fc.assert(
      fc.asyncProperty(scripts(25), sizes, sizes, async (steps, mine, yours) => {
        const ledger = playedLedger();
        const database = await built(ledger.store);
        await ledger.play(steps);
        const head = right(await ledger.store.head()());
        const runners = [mine, yours].map((of) =>
          catchUp(inBatches(ledger.store, of), storeOn(connection()), head, QUIET),
        );
        for (const ended of await Promise.all(runners)) right(ended);
        expect(contentOf(database)).to.deep.equal(contentOf(await built(ledger.store)));
      }),
      { numRuns: runs(7) },
    );
  });

  const WRITTEN = [
    'checkpoint',
    'facets',
    'orders',
    'settled_days',
    'cells',
    'audit_chunks',
    'quarantine',
    'term_runs',
    'term_blocks',
  ] as const;

  /** Makes every write to a table fail. */
  const breakTable = (database: Database.Database, table: string): (() => void) => {
    const changes = ['INSERT', 'UPDATE', 'DELETE'];
    for (const change of changes) {
      database.exec(
        `CREATE TEMP TRIGGER break_${change} BEFORE ${change} ON main.${table} BEGIN SELECT RAISE(ABORT, 'broken'); END`,
      );
    }
    return () => {
      for (const change of changes) database.exec(`DROP TRIGGER break_${change}`);
    };
  };

  /** Applies a batch while a table is broken; whether it failed, and then changed nothing. */
  const failsAt = (table: string, database: Database.Database, apply: () => unknown): boolean => {
    const before = contentOf(database);
    const mend = breakTable(database, table);
    try {
      expect(apply()).to.equal('applied');
      return false;
    } catch (error) {
      expect(String(error)).to.contain('broken');
    } finally {
      mend();
    }
    expect(contentOf(database)).to.deep.equal(before);
    return true;
  };

  for (const table of WRITTEN) {
    it(`change nothing where ${table} can't be written, and go on afterwards`, async () => {
      const ledger = playedLedger();
      const database = await built(ledger.store);
      const target = storeOn(database);
      const sent = { receivedAt: instantOf(0), requestId: null, putAway: false };
      const bodies = [onRamp({ orderId: 'a', status: 'completed' }), onRamp({ orderId: 'b' })].map((it) =>
        JSON.stringify(it),
      );
      await ledger.play([...bodies, 'no order'].map((body) => ({ ...sent, body })));
      const events = await eventsOf(ledger.store);
      const all = await batchOf(ledger.store, events);
      expect(failsAt(table, database, () => target.apply(null, all))).to.equal(true);
      for (const [i, event] of events.entries()) {
        const after = i === 0 ? null : there(events[i - 1]).position;
        expect(target.apply(after, await batchOf(ledger.store, [event]))).to.equal('applied');
      }
      expect(contentOf(database)).to.deep.equal(contentOf(await built(ledger.store)));
    });
  }

  it('change nothing wherever a write fails in their middle, and go on afterwards', async () => {
    const attempts = fc.array(
      fc.record({
        table: fc.constantFrom(...WRITTEN),
        failing: fc.integer({ min: 1, max: 9 }),
        size: fc.integer({ min: 1, max: 9 }),
      }),
      { minLength: 1, maxLength: 5 },
    );
    await fc.assert(
      fc.asyncProperty(scripts(25), attempts, async (steps, tries) => {
        const ledger = playedLedger();
        const database = await built(ledger.store);
        const target = storeOn(database);
        await ledger.play(steps);
        const events = await eventsOf(ledger.store);
        for (let [done, turn] = [0, 0]; done < events.length; turn += 1) {
          const { table, failing, size } = there(tries[turn % tries.length]);
          const after = target.checkpoint()?.position ?? null;
          const fails = await batchOf(ledger.store, events.slice(done, done + failing));
          // Where the batch has nothing for the table, it is in.
          if (!failsAt(table, database, () => target.apply(after, fails))) {
            done += failing;
            continue;
          }
          // Another batch than the one that failed, so that it has other classes of orders.
          const next = await batchOf(ledger.store, events.slice(done, done + size));
          expect(target.apply(after, next)).to.equal('applied');
          done += size;
        }
        expect(contentOf(database)).to.deep.equal(contentOf(await built(ledger.store)));
      }),
      { numRuns: runs(15) },
    );
  });

  it('know nothing of a batch that failed when its order comes again', async () => {
    const ledger = playedLedger();
    const database = await built(ledger.store);
    const target = storeOn(database);
    const sent = { receivedAt: instantOf(0), requestId: null, putAway: false };
    // On its way, so that its number is noted and what it adds is kept; both known on would take out what was never put in.
    const bodies = [
      onRamp({ orderId: 'a', status: 'fiatPending' }),
      onRamp({ orderId: 'a', status: 'orderReceived', transactionId: 'T1' }),
      onRamp({ orderId: 'a', status: 'tokenTransferInitiated', transactionId: 'T1', metaData: { till: 'seven' } }),
    ];
    await ledger.play(bodies.map((body) => ({ ...sent, body: JSON.stringify(body) })));
    const [first, ...others] = await eventsOf(ledger.store);
    expect(target.apply(null, await batchOf(ledger.store, [there(first)]))).to.equal('applied');
    const after = there(first).position;
    for (const events of [others.slice(0, 1), others]) {
      const fails = await batchOf(ledger.store, events);
      expect(failsAt('checkpoint', database, () => target.apply(after, fails))).to.equal(true);
    }
    expect(target.apply(after, await batchOf(ledger.store, others))).to.equal('applied');
    expect(contentOf(database)).to.deep.equal(contentOf(await built(ledger.store)));
  });

  it('are unavailable while the disk is full, and go on once it is not', async () => {
    const ledger = playedLedger();
    const database = await built(ledger.store);
    const target = storeOn(database);
    const large = JSON.stringify(onRamp({ orderId: 'large', metaData: { note: 'x'.repeat(100_000) } }));
    await ledger.play([{ body: large, receivedAt: instantOf(0), requestId: null, putAway: false }]);
    const head = right(await ledger.store.head()());
    const before = contentOf(database);
    database.pragma(`max_page_count = ${Number(database.pragma('page_count', { simple: true }))}`);
    const full = await catchUp(ledger.store, target, head, QUIET);
    expect(E.isLeft(full) ? full.left._tag : 'success').to.equal('ReadModelsUnavailable');
    expect(contentOf(database)).to.deep.equal(before);
    database.pragma('max_page_count = 100000');
    right(await catchUp(ledger.store, target, head, QUIET));
    expect(contentOf(database)).to.deep.equal(contentOf(await built(ledger.store)));
  });
});
