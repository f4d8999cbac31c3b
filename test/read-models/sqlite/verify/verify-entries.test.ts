import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { businessCalendar } from '../../../../src/domain/business-day.ts';
import { projectBatch } from '../../../../src/read-models/projection-batch.ts';
import { catchUp } from '../../../../src/read-models/runner.ts';
import { openForWriting } from '../../../../src/read-models/sqlite/generation.ts';
import type { OrderKind } from '../../../../src/read-models/sqlite/verify/order-entries.ts';
import { StreamMemory } from '../../../../src/read-models/stream-memory.ts';
import { ProjectionStore } from '../../../../src/read-models/sqlite/projection-store.ts';
import { rebuild } from '../../../../src/read-models/sqlite/rebuild/rebuild.ts';
import { Generations } from '../../../../src/read-models/sqlite/generations.ts';
import { openTarget } from '../../../../src/read-models/sqlite/open-target.ts';
import { TermIndex } from '../../../../src/read-models/sqlite/terms/term-index.ts';
import { TermSegment } from '../../../../src/read-models/sqlite/terms/term-segment.ts';
import {
  entriesOf,
  EntryVerification,
  storedEntries,
} from '../../../../src/read-models/sqlite/verify/verify-entries.ts';
import { verifyEntriesAgain } from '../../../../src/read-models/sqlite/verify/verify-entries-again.ts';
import { OrderVerification } from '../../../../src/read-models/sqlite/verify/verify-orders.ts';
import { inBatches } from '../../../support/in-batches.ts';
import { playedLedger, scripts, type PlayedLedger } from '../../../support/ledger-script.ts';
import { right } from '../../../support/right.ts';
import { runs } from '../../../support/runs.ts';
import { QUIET, rebuildDeps, there } from '../../../support/sqlite-read-models.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const ZONE = 'UTC';

/** Of the events of orders under way, in bytes. */
const LITTLE_MEMORY = 65_536;

/** More than any ledger of a test has. */
const MANY_PAGES = 1_000_000;

/** More than batches of some events leave to be done. */
const MOST_PARTS = 1_000;

const LACKS = 'an index lacks what it is found by';
const OTHER = 'an index finds it by what it never had';

type Entry = { readonly term: number; readonly rank: number; readonly ref: number };

describe('verify, over the indexes of orders', () => {
  const opened = async (ledger: PlayedLedger) => {
    const folder = temporaryFolder();
    const file = join(folder.path, 'read-models.db');
    const generations = right(Generations.open(file));
    right(await rebuild(rebuildDeps(ledger.store, generations, ZONE)));
    const generation = generations.serving();
    const database = openForWriting(generations.fileOf(generation));
    const close = (): void => {
      database.close();
      generations.close();
      folder.remove();
    };
    return { file, generations, generation, database, close };
  };

  type Opened = Awaited<ReturnType<typeof opened>>;

  /** What is found at first sight, and how many orders are suspected beside; what is found of these when they are looked at again. */
  const found = async ({ store }: PlayedLedger, { file, generation, database }: Opened) => {
    const upTo = right(await store.head()()) ?? expect.fail('no event');
    const [last] = right(await store.readAt([upTo])());
    // One decision, so that the index of the match is looked at too.
    database.exec(`INSERT OR IGNORE INTO match_decisions VALUES ('a', '{}')`);
    const of = entriesOf(database);
    const entries = new EntryVerification();
    const stored = storedEntries(database, of);
    entries.addStored(stored);
    const checkpoint = { position: upTo, at: there(last).recordedAt };
    const orders = new OrderVerification(database, businessCalendar(ZONE), checkpoint, of);
    for (let part = 0; part < right(await store.streamParts()()); part += 1) {
      for (const stream of right(await store.readPart(part, upTo)())) expect(orders.of(stream)).to.deep.equal([]);
    }
    entries.add(orders.entries);
    const suspects = entries.suspects();
    const again = right(await verifyEntriesAgain(store, file, { generation, orders: suspects }, new Set()));
    return { suspects: suspects.length, details: [...stored.failures, ...again].map(({ detail }) => detail) };
  };

  it('finds nothing wherever batches ended, also of orders that lost what they were found by before', async () => {
    const look = async (): Promise<number> => {
      let suspects = 0;
      await fc.assert(
        fc.asyncProperty(scripts(40), fc.nat(20), fc.integer({ min: 1, max: 5 }), async (steps, built, size) => {
          const ledger = playedLedger();
          await ledger.play(steps.slice(0, built + 1));
          const read = await opened(ledger);
          try {
            expect(await found(ledger, read)).to.deep.equal({ suspects: 0, details: [] });
            await ledger.play(steps.slice(built + 1));
            const target = there(openTarget(read.generations, ZONE));
            const head = right(await ledger.store.head()());
            right(await catchUp(inBatches(ledger.store, [size]), target, head, QUIET));
            target.close();
            const then = await found(ledger, read);
            expect(then.details).to.deep.equal([]);
            suspects += then.suspects;
          } finally {
            read.close();
          }
        }),
        { numRuns: runs(20) },
      );
      return suspects;
    };
    let suspects = await look();
    // One time in twenty no order lost anything.
    for (let more = 0; suspects === 0 && more < 4; more += 1) suspects = await look();
    expect(suspects).to.be.greaterThan(0);
  });

  it('finds nothing where batches and merges of runs found no room on the disk, or were never begun, and went on later', async () => {
    let refused = 0;
    const script = fc.array(fc.record({ size: fc.integer({ min: 1, max: 3 }), room: fc.nat(1), ends: fc.boolean() }), {
      minLength: 1,
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(scripts(60), { minLength: 6, maxLength: 8 }), script, async (parts, turns) => {
        const steps = parts.flat();
        const ledger = playedLedger();
        await ledger.play(steps.slice(0, 1));
        const read = await opened(ledger);
        await ledger.play(steps.slice(1));
        const file = read.generations.fileOf(read.generation);
        let database = openForWriting(file);
        let projections = new ProjectionStore(database, businessCalendar(ZONE));
        const memory = new StreamMemory(LITTLE_MEMORY);
        const allowed = (pages: number): void => {
          database.pragma(`max_page_count = ${pages}`);
        };
        /** Until nothing is left; it fails where there is always more, which a part that was lost would look like. */
        const settled = async (part: () => boolean | Promise<boolean>): Promise<void> => {
          for (let parts = 0; await part(); parts += 1)
            expect(parts, 'parts that were settled').to.be.below(MOST_PARTS);
        };
        /** With so many more pages than there are; once more with enough, where these were too few. */
        const within = async <A>(room: number, work: () => A | Promise<A>): Promise<A> => {
          allowed(Number(database.pragma('page_count', { simple: true })) + room);
          try {
            return await work();
          } catch (error) {
            expect(error).to.match(/database or disk is full/);
            refused += 1;
            allowed(MANY_PAGES);
            return await work();
          }
        };
        try {
          const after = projections.checkpoint()?.position ?? null;
          const events = right(E.sequenceArray(await Array.fromAsync(ledger.store.readAll(after))));
          for (let [at, turn] = [0, 0]; at < events.length; turn += 1) {
            const { size, room, ends } = there(turns[turn % turns.length]);
            const [first, ...rest] = events.slice(at, at + size);
            at += size;
            await within(room, async () => {
              const batch = right(await projectBatch(ledger.store, [there(first), ...rest], memory));
              expect(projections.apply(projections.checkpoint()?.position ?? null, batch)).to.equal('applied');
            });
            // Killed here, nothing of what the batch has left is done, nor known to whoever goes on.
            if (ends) {
              database.close();
              database = openForWriting(file);
              projections = new ProjectionStore(database, businessCalendar(ZONE));
            } else await settled(() => within(room, () => projections.settle()));
          }
          expect((await found(ledger, read)).details).to.deep.equal([]);
          allowed(MANY_PAGES);
          await settled(() => projections.settle());
          expect((await found(ledger, read)).details).to.deep.equal([]);
        } finally {
          database.close();
          read.close();
        }
      }),
      { numRuns: runs(3) },
    );
    expect(refused).to.be.greaterThan(0);
  });

  /** Puts other entries in the place of all of one kind, in a run that is whole and sorted. */
  const replace = (
    database: Database.Database,
    kind: OrderKind,
    change: (all: readonly Entry[]) => readonly Entry[],
  ) => {
    const all: Entry[] = [];
    const index = new TermIndex(database, kind);
    index.inspect((term, rank, ref) => all.push({ term, rank, ref }));
    database.exec(`
      DELETE FROM term_blocks WHERE no / 65536 IN (SELECT no FROM term_runs WHERE kind = '${kind}');
      DELETE FROM term_runs WHERE kind = '${kind}'`);
    const segment = new TermSegment(kind);
    for (const { term, rank, ref } of change(all)) segment.add(term, rank, ref);
    index.addRun(segment.take());
  };

  const KINDS = ['id', 'order', 'match'] as const;
  const [played] = fc.sample(scripts(40), { numRuns: 1, seed: 3 });

  const afterwards = async (change: (database: Database.Database) => unknown): Promise<readonly string[]> => {
    const ledger = playedLedger();
    await ledger.play(there(played));
    const read = await opened(ledger);
    try {
      change(read.database);
      return (await found(ledger, read)).details;
    } finally {
      read.close();
    }
  };

  const changes: readonly (readonly [string, (kind: OrderKind, all: readonly Entry[]) => readonly Entry[], RegExp])[] =
    [
      ['an entry that is not there', (_, all) => all.slice(1), new RegExp(`^${LACKS}$`)],
      [
        'an entry that the order never had',
        (_, all) => [...all, { ...there(all[0]), term: 5 }],
        new RegExp(`^${OTHER}$`),
      ],
      [
        'entries of two orders that were exchanged',
        (_, all) => {
          const first = there(all[0]);
          const other = there(all.find(({ term, ref }) => ref !== first.ref && term !== first.term));
          const rest = all.filter((entry) => entry !== first && entry !== other);
          return [...rest, { ...first, ref: other.ref }, { ...other, ref: first.ref }];
        },
        new RegExp(`^${LACKS}\n${LACKS}$`),
      ],
      [
        'an entry that leads nowhere',
        (_, all) => [...all, { ...there(all[0]), ref: 2 ** 40 }],
        /^1 entries of an index lead to no order$/,
      ],
    ];
  for (const [what, change, expected] of changes) {
    it(`names ${what}`, async () => {
      for (const kind of KINDS) {
        const details = await afterwards((database) => {
          // Those of one order have one reference.
          replace(database, kind, (all) =>
            change(
              kind,
              all.toSorted((a, b) => a.ref - b.ref),
            ),
          );
        });
        expect(details.join('\n'), kind).to.match(expected);
      }
    });
  }

  const RUN = (kind: OrderKind): string => `(SELECT min(no) FROM term_runs WHERE kind = '${kind}')`;
  for (const [what, sql] of [
    [
      'fences of other blocks',
      (kind: OrderKind) => `UPDATE term_blocks SET entries = x'00' WHERE no = ${RUN(kind)} * 65536`,
    ],
    ['fences that are not there', (kind: OrderKind) => `DELETE FROM term_blocks WHERE no = ${RUN(kind)} * 65536`],
    [
      'blocks in another place',
      (kind: OrderKind) => `UPDATE term_blocks SET no = no + 1 WHERE no = ${RUN(kind)} * 65536 + 1`,
    ],
    ['another size', (kind: OrderKind) => `UPDATE term_runs SET size = size + 1 WHERE no = ${RUN(kind)}`],
  ] as const) {
    it(`names an index with ${what}`, async () => {
      for (const kind of KINDS) {
        const details = await afterwards((database) => database.exec(sql(kind)));
        expect(details.join('\n')).to.match(/^the index that finds orders .* is damaged$/);
      }
    });
  }

  it('names an index that is not sorted', async () => {
    for (const kind of KINDS) {
      const details = await afterwards((database) => {
        const at = `no = ${RUN(kind)} * 65536 + 1`;
        const bytes = there(database.prepare<[], Buffer>(`SELECT entries FROM term_blocks WHERE ${at}`).pluck().get());
        const width = kind === 'order' ? 20 : 13;
        const [first, rest] = [bytes.subarray(0, width), bytes.subarray(width, -width)];
        const moved = Buffer.concat([first, bytes.subarray(-width), rest]).toString('hex');
        database.exec(`UPDATE term_blocks SET entries = x'${moved}' WHERE ${at}`);
      });
      expect(details).to.have.length(1);
      expect(details[0]).to.match(/^the index that finds orders .* is damaged$/);
    }
  });
});
