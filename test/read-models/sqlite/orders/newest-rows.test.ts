import { expect } from 'chai';
import * as fc from 'fast-check';
import type { ListedRow, RowSource } from '../../../../src/read-models/newest-first.ts';
import { NewestRows } from '../../../../src/read-models/sqlite/orders/newest-rows.ts';

const row = (no: number): ListedRow => ({ no, createdAt: `2024-01-${String(99 - no).padStart(2, '0')}`, orderId: 'a' });

/** So many rows of a class, and how often they were read. */
const countedSource = (count: number): { readonly rows: RowSource; readonly reads: () => number } => {
  const all = Array.from({ length: count }, (_, no) => row(no));
  let reads = 0;
  return {
    rows: (after, most) => {
      reads += 1;
      const from = after === null ? 0 : after.no + 1;
      return all.slice(from, from + most);
    },
    reads: () => reads,
  };
};

const ask = fc.record({
  /** Rows that the class has by then, in another state of the read models where that is said. */
  count: fc.nat({ max: 12 }),
  isNewState: fc.boolean(),
  facet: fc.constantFrom(1, 2),
  after: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, fc.nat({ max: 11 }).map(row)),
  most: fc.integer({ min: 1, max: 10 }),
});

describe('the newest rows of classes', () => {
  it('are those of the state that is asked for, as many as are asked for, from any row on', () => {
    fc.assert(
      fc.property(fc.array(ask, { maxLength: 30 }), fc.nat({ max: 15 }), (asks, mostKept) => {
        const newest = new NewestRows(mostKept);
        let state = {};
        const counts = new Map<number, number>();
        for (const { count, isNewState, facet, after, most } of asks) {
          if (isNewState) {
            state = {};
            counts.clear();
          }
          const has = counts.get(facet) ?? count;
          counts.set(facet, has);
          const { rows } = countedSource(has);
          expect(newest.of(state, facet, rows)(after, most)).to.deep.equal(rows(after, most));
        }
      }),
    );
  });

  it('are read once in a state, as long as no more of them are asked for', () => {
    const newest = new NewestRows();
    const [state, { rows, reads }] = [{}, countedSource(5)];
    const of = (at: object): RowSource => newest.of(at, 1, rows);
    of(state)(null, 4);
    of(state)(null, 3);
    expect(reads()).to.equal(1);
    of(state)(null, 9);
    of(state)(null, 20);
    expect(reads()).to.equal(2);
    of({})(null, 1);
    expect(reads()).to.equal(3);
  });

  it('are not kept where they would be too many', () => {
    const newest = new NewestRows(5);
    const [state, first, second] = [{}, countedSource(4), countedSource(4)];
    for (let i = 0; i < 2; i += 1) {
      newest.of(state, 1, first.rows)(null, 4);
      newest.of(state, 2, second.rows)(null, 4);
    }
    expect([first.reads(), second.reads()]).to.deep.equal([1, 2]);
  });
});
