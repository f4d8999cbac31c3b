import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { createIndexes, createTables } from '../../../../src/read-models/sqlite/schema.ts';
import type { TermEntry } from '../../../../src/read-models/sqlite/terms/term-entries.ts';
import { TermIndex } from '../../../../src/read-models/sqlite/terms/term-index.ts';
import { TermSegment } from '../../../../src/read-models/sqlite/terms/term-segment.ts';
import { termOf } from '../../../../src/read-models/sqlite/terms/term.ts';
import { anyText } from '../../../support/arbitraries.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

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

/** Filters that questions are worth from the first one on, of every run. */
const FILTERED = { worth: 1, fewest: 1, most: Infinity };

/** A run for each list of terms, all of which lead to the number of their run. */
const withRuns = (index: TermIndex, runsOfTerms: readonly (readonly number[])[]): void => {
  const segment = new TermSegment('order');
  for (const [run, terms] of runsOfTerms.entries()) {
    for (const term of terms) segment.add(term, 0, run);
    index.addRun(segment.take());
  }
};

/** More than go into a filter at a time. */
const MANY = Array.from({ length: 30_000 }, (_, i) => termOf(`text ${i}`));

const removeBlocks = (database: Database.Database, run: number): void => {
  database.prepare('DELETE FROM term_blocks WHERE no > ? AND no < ?').run(run * 65_536, (run + 1) * 65_536);
};

/** Whether a term is found, or its block at least looked for, which is gone. */
const isLookedFor = (index: TermIndex, term: number): boolean => {
  try {
    return index.refs(term).length > 0;
  } catch {
    return true;
  }
};

describe('the index of terms', () => {
  it('finds everything that was added, from any rank on and in the order of ranks, whatever was merged', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(runs, fc.boolean()), { maxLength: 24 }), (batches) => {
        const database = inMemory();
        const { writer } = writerAndReader(database);
        const reader = new TermIndex(database, 'order', FILTERED);
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
          // A filter that is half made may be of a run that goes.
          reader.prepare();
          if (merges) writer.merge();
          // What a reader knows of runs must not outlive them.
          expect([...reader.find(TERMS[0], 0)].length).to.equal(
            all.filter(({ term, rank }) => term === TERMS[0] && rank >= 0).length,
          );
        }
        while (reader.prepare());
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
    reader.inspect(() => {
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

  it('looks into no run whose filter says that it has not what is asked for', () => {
    const database = inMemory();
    const index = new TermIndex(database, 'order', FILTERED);
    withRuns(index, [MANY, [7], [8]]);
    expect([...index.refs(7)]).to.deep.equal([1]);
    while (index.prepare());
    removeBlocks(database, 1);
    expect([...index.refs(7)]).to.deep.equal([1]);
    expect([...index.find(8, -Infinity)].map(({ ref }) => ref)).to.deep.equal([2]);
    expect(MANY.every((term) => isLookedFor(index, term))).to.equal(true);
    const others = Array.from({ length: 10_000 }, (_, i) => termOf(`another text ${i}`));
    expect(others.filter((term) => isLookedFor(index, term)).length).to.be.below(300);
  });

  it('does not say of a damaged run what it has not', () => {
    const database = inMemory();
    const index = new TermIndex(database, 'order', FILTERED);
    withRuns(index, [MANY]);
    expect([...index.refs(7)]).to.deep.equal([]);
    database.exec('DELETE FROM term_blocks WHERE no = 65536 + 10');
    while (index.prepare());
    expect(MANY.every((term) => isLookedFor(index, term))).to.equal(true);
  });

  it('makes no filter before questions are worth it, of small runs, or of more than it may', () => {
    const database = inMemory();
    const runOf = (terms: number): readonly number[] => MANY.slice(0, terms);
    withRuns(new TermIndex(database, 'order'), [runOf(300), runOf(400), runOf(500)]);
    const another = termOf('another text');
    const asked = (limits: typeof FILTERED, times: number): TermIndex => {
      const index = new TermIndex(database, 'order', limits);
      for (let i = 0; i < times; i += 1) expect([...index.refs(another)]).to.deep.equal([]);
      while (index.prepare());
      return index;
    };
    const seldom = asked({ ...FILTERED, worth: 3 }, 2);
    const large = asked({ ...FILTERED, fewest: 400 }, 1);
    const bounded = asked({ ...FILTERED, most: 900 }, 1);
    const often = asked({ ...FILTERED, worth: 3 }, 3);
    removeBlocks(database, 1);
    expect(() => seldom.refs(another)).to.throw();
    expect(() => large.refs(another)).to.throw();
    // The newest first: of 500 and 400 entries.
    expect(() => bounded.refs(another)).to.throw();
    expect(often.refs(another)).to.deep.equal([]);
    removeBlocks(database, 2);
    removeBlocks(database, 3);
    expect(often.refs(another)).to.deep.equal([]);
  });

  it('sees in a connection that only reads what another one adds', () => {
    const folder = temporaryFolder();
    const file = join(folder.path, 'terms.db');
    const database = new Database(file);
    try {
      database.pragma('journal_mode = WAL');
      createTables(database);
      const { writer } = writerAndReader(database);
      const reading = new Database(file, { readonly: true });
      const reader = new TermIndex(reading, 'order');
      withRuns(writer, [[7]]);
      expect(reader.refs(7)).to.deep.equal([0]);
      withRuns(writer, [[8], [7]]);
      expect(reader.refs(7).length).to.equal(2);
      reading.exec('BEGIN');
      expect(reader.refs(8)).to.deep.equal([0]);
      withRuns(writer, [[8]]);
      expect(reader.refs(8)).to.deep.equal([0]);
      reading.exec('COMMIT');
      expect(reader.refs(8).length).to.equal(2);
      reading.close();
    } finally {
      database.close();
      folder.remove();
    }
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

  it('keeps no filter of a run that was rolled back for the run that its number is given to', () => {
    const database = inMemory();
    const { writer } = writerAndReader(database);
    const segment = new TermSegment('order');
    const add = (terms: readonly number[]): void => {
      for (const term of terms) segment.add(term, 0, 1);
      writer.addRun(segment.take());
    };
    /** How many of these are found, each looked for as one of many: behind two thousand every run has its filter. */
    const found = (terms: readonly number[]): number =>
      writer.steady(() => terms.filter((term) => writer.refs(term).length > 0).length);
    const others = Array.from({ length: 3_000 }, (_, i) => termOf(`another text ${i}`));
    const few = MANY.slice(0, 3_000);
    database.exec('BEGIN');
    add(few);
    expect(found([...few, ...others])).to.equal(few.length);
    database.exec('ROLLBACK');
    writer.forget();
    add(others);
    expect(found(others)).to.equal(others.length);
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
