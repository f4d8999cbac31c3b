import { expect } from 'chai';
import * as fc from 'fast-check';
import { newestFirst, type ListedRow, type RowSource } from '../../src/read-models/newest-first.ts';

/** Code units put the astral one before U+FFFF, UTF-8 behind it. */
const IDS = ['a', 'b', 'ab', '\uffff', '😀', '\ue000'] as const;

const rows: fc.Arbitrary<readonly ListedRow[]> = fc
  .uniqueArray(
    fc.tuple(
      fc.constantFrom('2024-01-01T00:00:00.000', '2024-01-01T00:00:00.0001', '2025'),
      fc.constantFrom(...IDS),
      fc.nat(30),
    ),
    { maxLength: 60, selector: ([createdAt, id, n]) => `${createdAt} ${id} ${n}` },
  )
  .map((some) => some.map(([createdAt, id, n], no) => ({ no, createdAt, orderId: `${id}${n}` })));

const inOrder = (a: ListedRow, b: ListedRow): number =>
  a.createdAt === b.createdAt
    ? Buffer.compare(Buffer.from(b.orderId), Buffer.from(a.orderId))
    : a.createdAt < b.createdAt
      ? 1
      : -1;

describe('rows of many sources, newest first', () => {
  it('are those of one sorted list, from any place on', () => {
    fc.assert(
      fc.property(
        rows,
        fc.array(fc.nat(6), { maxLength: 60 }),
        fc.option(fc.nat(60)),
        fc.integer({ min: 1, max: 70 }),
        (all, dealt, at, most) => {
          const parts = [0, 1, 2, 3, 4, 5, 6].map((part) =>
            all.filter((_, i) => (dealt[i] ?? 0) === part).toSorted(inOrder),
          );
          const sources = parts.map(
            (part): RowSource =>
              (after, count) =>
                part.filter((row) => after === null || inOrder(after, row) < 0).slice(0, count),
          );
          const sorted = all.toSorted(inOrder);
          const after = at === null ? null : (sorted[at] ?? null);
          const behind = sorted.filter((row) => after === null || inOrder(after, row) < 0);
          expect(newestFirst(sources, after, most)).to.deep.equal(behind.slice(0, most));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('are read a few at a time from each of many', () => {
    const asked: number[] = [];
    const source =
      (createdAt: string): RowSource =>
      (after, most) => {
        asked.push(most);
        const first = after === null ? 0 : Number(after.orderId) + 1;
        return Array.from({ length: most }, (_, i) => ({ no: 0, createdAt, orderId: String(first + i) }));
      };
    newestFirst([source('2024'), source('2023'), source('2022')], null, 3);
    expect(asked).to.deep.equal([3, 3, 3]);
    asked.length = 0;
    newestFirst([source('2024'), source('2023')], null, 100);
    expect(asked).to.deep.equal([8, 8, 32, 100]);
  });
});
