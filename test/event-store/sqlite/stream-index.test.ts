import Database from 'better-sqlite3';
import { expect } from 'chai';
import fc from 'fast-check';
import { shortDigest } from '../../../src/domain/short-digest.ts';
import { StreamIndex } from '../../../src/event-store/sqlite/stream-index.ts';
import { StreamLookup } from '../../../src/event-store/sqlite/stream-lookup.ts';
import { STREAM_TABLES } from '../../../src/event-store/sqlite/stream-tables.ts';

/** Streams that begin in one transaction, which is kept or rolled back, and whether the file is opened anew behind it. */
type Batch = { readonly streams: number; readonly kept: boolean; readonly reopened: boolean };

const someBatches = fc.array(
  fc.record<Batch>({ streams: fc.integer({ min: 0, max: 200 }), kept: fc.boolean(), reopened: fc.boolean() }),
  { minLength: 5, maxLength: 20 },
);

const names = (from: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `order-${from + i}`);

describe('streams by name', () => {
  let database: Database.Database;
  beforeEach(() => {
    database = new Database(':memory:');
    database.exec(STREAM_TABLES);
  });
  afterEach(() => database.close());

  const numberOf = (sql: string): number => Number(database.prepare(sql).pluck().get());

  const begin = (index: StreamIndex, begun: readonly string[]): void => {
    database.exec('BEGIN');
    for (const name of begun) index.begin(name);
    index.settle();
    database.exec('COMMIT');
  };

  it('are found by the writer and beside it, whatever waits, was rolled back or is opened anew', () => {
    const areFound = (batches: readonly Batch[], waiting: number): void => {
      database.exec('DELETE FROM streams; DELETE FROM stream_names; UPDATE names_complete SET up_to = 0');
      const sizes = { waiting, ranges: 16 };
      let index = new StreamIndex(database, sizes);
      const beside = new StreamLookup(database);
      const there = new Map<string, number>();
      let tried = 0;
      for (const { streams, kept, reopened } of batches) {
        database.exec('BEGIN');
        const begun = names(tried, streams).map((name) => [name, index.begin(name)] as const);
        index.settle();
        database.exec(kept ? 'COMMIT' : 'ROLLBACK');
        tried += streams;
        for (const [name, id] of kept ? begun : []) there.set(name, id);
        if (reopened) index = new StreamIndex(database, sizes);
        else if (!kept) index.reload();
        // A comparison of chai for each of some hundred thousand takes longer than all that is tested.
        const misplaced = names(0, tried).filter(
          (name) => index.find(name) !== there.get(name) || beside.find(name) !== there.get(name),
        );
        expect(misplaced).to.deep.equal([]);
      }
    };
    fc.assert(fc.property(someBatches, fc.integer({ min: 0, max: 300 }), areFound), { numRuns: 20 });
  });

  it('wait in a bounded number, and whoever opens the file reads no more than twice as many and a little', () => {
    const index = new StreamIndex(database, { waiting: 1_000, ranges: 16 });
    for (let from = 0; from < 10_000; from += 20) begin(index, names(from, 20));
    const indexed = numberOf('SELECT count(*) FROM stream_names');
    expect(indexed).to.be.at.least(9_000).and.below(10_000);
    const behind = numberOf('SELECT count(*) FROM streams WHERE id > (SELECT up_to FROM names_complete)');
    expect(behind)
      .to.be.at.least(10_000 - indexed)
      .and.at.most(2_500);
  });

  it('that wait in a great number where a file is opened are indexed little by little', () => {
    begin(new StreamIndex(database, { waiting: 10_000, ranges: 64 }), names(0, 6_400));
    const index = new StreamIndex(database, { waiting: 100, ranges: 64 });
    begin(index, ['order-next']);
    expect(numberOf('SELECT count(*) FROM stream_names')).to.be.within(1_000, 2_200);
    for (const name of names(0, 6_400)) expect(index.find(name)).to.equal(Number(name.slice('order-'.length)) + 1);
  });

  it('wait in a bounded number for whoever opens the file, however soon it is opened again', () => {
    for (let from = 0; from < 12_000; from += 300) {
      const index = new StreamIndex(database, { waiting: 1_000, ranges: 16 });
      for (let batch = 0; batch < 300; batch += 20) begin(index, names(from + batch, 20));
      const behind = numberOf('SELECT count(*) FROM streams WHERE id > (SELECT up_to FROM names_complete)');
      expect(behind).to.be.at.most(2_500);
    }
  });

  it('are held beside the writer as long as they wait, and no longer where they are many', () => {
    const beside = new StreamLookup(database, 10);
    begin(new StreamIndex(database, { waiting: 100, ranges: 8 }), names(0, 40));
    expect(beside.find('order-39')).to.equal(40);
    // Whoever reads them anew finds none now.
    const found = (): number => names(0, 40).filter((name) => beside.find(name) !== undefined).length;
    database.exec('DELETE FROM streams');
    expect([beside.find('order-none'), found()]).to.deep.equal([undefined, 40]);
    database.exec('UPDATE names_complete SET up_to = 30');
    expect([beside.find('order-none'), found()]).to.deep.equal([undefined, 10]);
  });

  it('that came to be indexed since a reader last looked are not read into its memory', () => {
    const beside = new StreamLookup(database);
    database.exec("INSERT INTO streams (id, name) VALUES (1, 'order-first')");
    expect(beside.find('order-first')).to.equal(1);
    const index = new StreamIndex(database, { waiting: 0, ranges: 8 });
    for (let from = 0; from < 100; from += 10) begin(index, names(from, 10));
    const complete = numberOf('SELECT up_to FROM names_complete');
    expect(complete).to.be.within(80, 101);
    expect(beside.find('order-none')).to.equal(undefined);
    // Without the index, only what is held in memory is found: what began behind.
    database.exec('DELETE FROM stream_names');
    const held = names(0, 100).filter((name) => beside.find(name) !== undefined);
    expect(held).to.deep.equal(names(complete - 1, 101 - complete));
  });

  it('are told apart where their digests are equal', () => {
    begin(new StreamIndex(database, { waiting: 0, ranges: 8 }), ['order-a', 'order-b']);
    database.exec('UPDATE names_complete SET up_to = 2');
    database.prepare('UPDATE stream_names SET digest = ?').run(shortDigest('order-a'));
    const found = ['order-a', 'order-b'].map((name) => new StreamLookup(database).find(name));
    expect(found).to.deep.equal([1, undefined]);
    database.prepare('INSERT INTO stream_names (digest, stream) VALUES (?, 1)').run(shortDigest('order-b'));
    database.prepare('INSERT INTO stream_names (digest, stream) VALUES (?, 2)').run(shortDigest('order-b'));
    expect(new StreamIndex(database).find('order-b')).to.equal(2);
  });

  it('are found many at a time as one by one: indexed, waiting, unknown, twice there, and by a digest that several have', () => {
    begin(new StreamIndex(database, { waiting: 0, ranges: 8 }), names(0, 20));
    begin(new StreamIndex(database), names(20, 5));
    expect(numberOf('SELECT count(*) FROM stream_names')).to.equal(20);
    database.exec(`INSERT INTO streams (id, name) VALUES (26, 'order-0')`);
    const put = database.prepare('INSERT INTO stream_names (digest, stream) VALUES (?, ?)');
    put.run(shortDigest('order-0'), 26);
    put.run(shortDigest('order-0'), 2);
    put.run(shortDigest('order-0'), 99);
    const asked = [...names(0, 25), 'order-none', 'order-0', 'order-1'].toReversed();
    const beside = new StreamLookup(database);
    expect(new StreamLookup(database).findAll(asked)).to.deep.equal(asked.map((name) => beside.find(name)));
    expect(beside.findAll(asked)).to.deep.equal(asked.map((name) => beside.find(name)));
  });

  it('are listed by their beginning, those beside the orders by an index of their own', () => {
    const index = new StreamIndex(database);
    begin(index, ['order-1', 'quarantine-2', 'quarantine-1', 'period-2026-01', 'ordinary']);
    const list = (prefix: string): readonly string[] => new StreamLookup(database).list(prefix).toSorted();
    expect(list('quarantine-')).to.deep.equal(['quarantine-1', 'quarantine-2']);
    expect(list('ord')).to.deep.equal(['order-1', 'ordinary']);
    expect(list('order-')).to.deep.equal(['order-1']);
    expect(list('')).to.have.length(5);
    expect(
      numberOf("SELECT count(*) FROM streams INDEXED BY streams_beside_orders WHERE substr(name, 1, 6) <> 'order-'"),
    ).to.equal(4);
  });
});
