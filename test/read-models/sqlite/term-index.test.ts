import Database from 'better-sqlite3';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { createIndexes, createTables } from '../../../src/read-models/sqlite/schema.ts';
import type { TermEntry } from '../../../src/read-models/sqlite/term-entries.ts';
import { TermIndex } from '../../../src/read-models/sqlite/term-index.ts';
import { TermSegment } from '../../../src/read-models/sqlite/term-segment.ts';
import { termOf } from '../../../src/read-models/sqlite/term.ts';
import { anyText } from '../../support/arbitraries.ts';

/** Entries of one term and rank. */
type Run = { readonly term: number; readonly rank: number; readonly count: number };

/** Neighbours in every digit that a run is sorted by. */
const TERMS = [0, 1, 65_535, 65_536, 65_537, 4_294_967_295, 4_294_967_296, 2 ** 48 - 1] as const;
const RANKS = [-253_402_300_799_999, -2, -1, 0, 1, 2, 1_700_000_000_000] as const;

const runs: fc.Arbitrary<readonly Run[]> = fc.array(
  fc.record({
    term: fc.constantFrom(...TERMS),
    rank: fc.constantFrom(...RANKS),
    // Now and then more than a block holds.
    count: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 3 }) }, fc.integer({ min: 500, max: 1_100 })),
  }),
  { maxLength: 12 },
);

type Entry = TermEntry & { readonly term: number };

const inMemory = (): Database.Database => {
  const database = new Database(':memory:');
  createTables(database);
  createIndexes(database);
  return database;
};

const byRankAndRef = (a: TermEntry, b: TermEntry): number => (a.rank === b.rank ? a.ref - b.ref : a.rank - b.rank);

const runsIn = (database: Database.Database): number =>
  Number(database.prepare('SELECT count(*) FROM term_runs').pluck().get());

/** What writes runs, and what another connection would read them by. */
const writerAndReader = (database: Database.Database) => ({
  writer: new TermIndex(database, 'order'),
  reader: new TermIndex(database, 'order'),
});

describe('the index of terms', () => {
  it('finds everything that was added, from any rank on and in the order of ranks, whatever was merged', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(runs, fc.boolean()), { maxLength: 24 }), (batches) => {
        const { writer, reader } = writerAndReader(inMemory());
        const all: Entry[] = [];
        const gathered = new TermSegment('order');
        for (const [some, merges] of batches) {
          for (const { term, rank, count } of some) {
            for (let i = 0; i < count; i += 1) {
              const entry = { term, rank, ref: all.length };
              all.push(entry);
              gathered.add(term, rank, entry.ref);
            }
          }
          writer.addRun(gathered.take());
          expect(gathered.size).to.equal(0);
          if (merges) writer.merge();
          // What a reader knows of runs must not outlive them.
          expect([...reader.find(TERMS[0], 0)].length).to.equal(
            all.filter(({ term, rank }) => term === TERMS[0] && rank >= 0).length,
          );
        }
        for (const term of TERMS) {
          for (const from of [-Number.MAX_SAFE_INTEGER, ...RANKS, 3]) {
            const found = [...reader.find(term, from)];
            const expected = all.filter((entry) => entry.term === term && entry.rank >= from);
            expect(found.map(({ rank }) => rank)).to.deep.equal(
              expected.map(({ rank }) => rank).toSorted((a, b) => a - b),
            );
            expect(found.map(({ rank, ref }) => ({ rank, ref })).toSorted(byRankAndRef)).to.deep.equal(
              expected.map(({ rank, ref }) => ({ rank, ref })).toSorted(byRankAndRef),
            );
          }
          const refs = all.filter((entry) => entry.term === term).map(({ ref }) => ref);
          expect([...reader.refs(term)].toSorted((a, b) => a - b)).to.deep.equal(refs);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('holds positions and numbers up to the greatest', () => {
    const database = inMemory();
    for (const kind of ['audit', 'id', 'order'] as const) {
      const [index, gathered] = [new TermIndex(database, kind), new TermSegment(kind)];
      const refs = [0, 1, 2 ** 32, 2 ** 48 - 1, 2 ** 48, Number.MAX_SAFE_INTEGER];
      for (const ref of refs) gathered.add(7, kind === 'order' ? -ref / 2 ** 10 : ref, ref);
      index.addRun(gathered.take());
      expect([...index.refs(7)].toSorted((a, b) => a - b)).to.deep.equal(refs);
    }
  });

  it('keeps its runs few, one kind apart from the others', () => {
    const database = inMemory();
    const { writer, reader } = writerAndReader(database);
    const [other, gathered] = [new TermIndex(database, 'id'), new TermSegment('id')];
    for (let batch = 0; batch < 600; batch += 1) {
      const segment = new TermSegment('order');
      for (let i = 0; i < 5; i += 1) segment.add(batch * 5 + i, -batch, batch);
      writer.addRun(segment.take());
      writer.merge();
      gathered.add(batch, batch, batch);
      if (batch % 100 === 0) other.addRun(gathered.take());
      expect(runsIn(database)).to.be.below(60);
    }
    for (let batch = 0; batch < 600; batch += 1) expect([...reader.refs(batch * 5)]).to.deep.equal([batch]);
    expect([...other.refs(100)]).to.deep.equal([100]);
    let entries = 0;
    reader.each(() => {
      entries += 1;
    });
    expect(entries).to.equal(3_000);
  });

  it('leaves no more than some hundred runs to be merged later', () => {
    const database = inMemory();
    const { writer, reader } = writerAndReader(database);
    const segment = new TermSegment('order');
    for (let batch = 0; batch < 600; batch += 1) {
      segment.add(batch, 0, batch);
      writer.addRun(segment.take());
      writer.mergeTooMany();
      expect(runsIn(database)).to.be.below(150);
    }
    expect(runsIn(database)).to.be.above(40);
    while (writer.merge());
    expect(runsIn(database)).to.be.below(40);
    for (let batch = 0; batch < 600; batch += 1) expect([...reader.refs(batch)]).to.deep.equal([batch]);
  });

  it('writes an entry some times and no more, and a large run once', () => {
    const database = inMemory();
    const { writer } = writerAndReader(database);
    const segment = new TermSegment('order');
    for (let i = 0; i < 262_144; i += 1) segment.add(i, 0, i);
    writer.addRun(segment.take());
    let written = 0;
    const count = database.prepare('SELECT total_changes()').pluck();
    const before = Number(count.get());
    for (let batch = 0; batch < 1_000; batch += 1) {
      segment.add(batch, 0, batch);
      writer.addRun(segment.take());
      writer.merge();
      written += 1;
    }
    // Two rows for a run, three that are removed with it, and one for the list of runs, for each time that an entry moves.
    expect(Number(count.get()) - before).to.be.below(written * 8);
    const sizes = database.prepare<[], number>('SELECT size FROM term_runs ORDER BY size DESC').pluck().all();
    expect(sizes[0]).to.equal(262_144);
  });

  it('gives a number that was rolled back again to other entries', () => {
    const database = inMemory();
    const { writer } = writerAndReader(database);
    const segment = new TermSegment('order');
    database.exec('BEGIN');
    segment.add(7, 0, 1);
    writer.addRun(segment.take());
    expect([...writer.refs(7)]).to.deep.equal([1]);
    database.exec('ROLLBACK');
    writer.forget();
    for (let i = 0; i < 400; i += 1) segment.add(i, 0, i);
    writer.addRun(segment.take());
    expect([...writer.refs(7)]).to.deep.equal([7]);
    expect([...writer.refs(399)]).to.deep.equal([399]);
  });

  it('has terms of 48 bits, hardly two texts with one', () => {
    const terms = new Map<number, string>();
    fc.assert(
      fc.property(anyText(20), (text) => {
        const term = termOf(text);
        expect(Number.isInteger(term) && term >= 0 && term < 2 ** 48).to.equal(true);
        expect(terms.get(term) ?? text).to.equal(text);
        terms.set(term, text);
      }),
    );
    for (let i = 0; i < 20_000; i += 1) terms.set(termOf(`request-${i}`), `request-${i}`);
    expect(terms.size).to.be.at.least(20_000);
  });
});
