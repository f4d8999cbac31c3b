import Database from 'better-sqlite3';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { createIndexes, createTables } from '../../../src/read-models/sqlite/schema.ts';
import { TermIndex, type TermEntry } from '../../../src/read-models/sqlite/term-index.ts';
import { TermSegment } from '../../../src/read-models/sqlite/term-segment.ts';
import { termOf } from '../../../src/read-models/sqlite/term.ts';
import { anyText } from '../../support/arbitraries.ts';

/** Entries of one term and rank. */
type Run = { readonly term: number; readonly rank: number; readonly count: number };

/** Neighbours in every digit that a segment is sorted by. */
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

const inMemory = (): TermIndex => {
  const database = new Database(':memory:');
  createTables(database);
  createIndexes(database);
  return new TermIndex(database, 'order');
};

const byRankAndRef = (a: TermEntry, b: TermEntry): number => (a.rank === b.rank ? a.ref - b.ref : a.rank - b.rank);

describe('the index of terms', () => {
  it('finds everything that was added, from any rank on and in the order of ranks', () => {
    fc.assert(
      fc.property(fc.array(runs, { maxLength: 4 }), runs, (segments, later) => {
        const index = inMemory();
        const all: Entry[] = [];
        const gathered = new TermSegment();
        const entriesOf = (some: readonly Run[]): readonly Entry[] =>
          some.flatMap(({ term, rank, count }) =>
            Array.from({ length: count }, () => {
              const entry = { term, rank, ref: all.length };
              all.push(entry);
              return entry;
            }),
          );
        for (const [segment, some] of segments.entries()) {
          for (const { term, rank, ref } of entriesOf(some)) gathered.add(term, rank, ref);
          index.addSegment(segment, gathered.take());
          expect(gathered.size).to.equal(0);
        }
        for (const { term, rank, ref } of entriesOf(later)) index.add(term, rank, ref);
        for (const term of TERMS) {
          for (const from of [-Number.MAX_SAFE_INTEGER, ...RANKS, 3]) {
            const found = [...index.find(term, from)];
            const expected = all.filter((entry) => entry.term === term && entry.rank >= from);
            expect(found.map(({ rank }) => rank)).to.deep.equal(
              expected.map(({ rank }) => rank).toSorted((a, b) => a - b),
            );
            expect(found.map(({ rank, ref }) => ({ rank, ref })).toSorted(byRankAndRef)).to.deep.equal(
              expected.map(({ rank, ref }) => ({ rank, ref })).toSorted(byRankAndRef),
            );
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  it('takes what is added again later for one', () => {
    const index = inMemory();
    index.add(7, 1, 2);
    index.add(7, 1, 2);
    expect([...index.find(7, 0)]).to.deep.equal([{ rank: 1, ref: 2 }]);
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
