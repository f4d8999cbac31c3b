import { expect } from 'chai';
import * as fc from 'fast-check';
import { mergedRuns } from '../../../../src/read-models/sqlite/terms/merged-runs.ts';
import { TermEntries } from '../../../../src/read-models/sqlite/terms/term-entries.ts';
import { TermSegment } from '../../../../src/read-models/sqlite/terms/term-segment.ts';
import type { TermKind } from '../../../../src/read-models/sqlite/terms/term-statements.ts';

type Entry = { readonly term: number; readonly rank: number; readonly ref: number };

const entry: fc.Arbitrary<Entry> = fc.record({
  term: fc.constantFrom(0, 1, 2 ** 32, 2 ** 48 - 1),
  rank: fc.constantFrom(-5, 0, 5),
  ref: fc.nat(),
});

/** A few entries, none at all, or several blocks of them. */
const run = fc.oneof(
  { weight: 4, arbitrary: fc.array(entry, { maxLength: 6 }) },
  { weight: 1, arbitrary: fc.array(entry, { minLength: 450, maxLength: 700 }) },
);

const blocksOf = (kind: TermKind, entries: readonly Entry[]): readonly Uint8Array[] => {
  const segment = new TermSegment(kind);
  for (const { term, rank, ref } of entries) segment.add(term, kind === 'order' ? rank : ref, ref);
  return segment.take().blocks;
};

const entriesIn = (layout: TermEntries, blocks: readonly Uint8Array[]): readonly Entry[] => {
  const found: Entry[] = [];
  for (const block of blocks) layout.each(block, (term, rank, ref) => found.push({ term, rank, ref }));
  return found;
};

describe('sorted runs that become one', () => {
  it('have all of their entries in order, those of equal ones run by run, in blocks that are full', () => {
    for (const kind of ['order', 'audit'] as const) {
      const layout = new TermEntries(kind);
      fc.assert(
        fc.property(fc.array(run, { maxLength: 17 }), (runs) => {
          const stored = runs.map((entries) => blocksOf(kind, entries));
          const merged = [
            ...mergedRuns(
              layout,
              stored.map((blocks) => blocks.values()),
            ),
          ];
          const all = stored.flatMap((blocks) => entriesIn(layout, blocks));
          const found = entriesIn(
            layout,
            merged.map(({ entries }) => entries),
          );
          expect(found).to.deep.equal(all.toSorted((a, b) => (a.term === b.term ? a.rank - b.rank : a.term - b.term)));
          const most = Math.max(0, ...merged.map(({ entries }) => entries.length));
          for (const { term, rank, entries } of merged) {
            expect(entriesIn(layout, [entries])[0]).to.include({ term, rank });
            if (entries !== merged.at(-1)?.entries) expect(entries.length).to.equal(most);
          }
        }),
        { numRuns: 40 },
      );
    }
  });
});
