import { expect } from 'chai';
import * as fc from 'fast-check';
import { Heap, newPlace, type Place } from '../../src/concurrency/heap.ts';

type One = { rank: number; isIn: boolean; readonly place: Place };

describe('a heap', () => {
  it('has the first of those that are in it at hand, whatever came, went and changed', () => {
    const step = fc.record({
      of: fc.nat(30),
      does: fc.constantFrom('add', 'add', 'change', 'remove'),
      rank: fc.nat(50),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const ones = Array.from({ length: 31 }, (): One => ({ rank: 0, isIn: false, place: newPlace() }));
        const heap = new Heap<One>(
          (one, other) => one.rank < other.rank,
          ({ place }) => place,
        );
        for (const { of, does, rank } of steps) {
          const one = ones[of];
          if (one === undefined || one.isIn === (does === 'add')) continue;
          if (does === 'remove') heap.remove(one);
          else one.rank = rank;
          if (does === 'add') heap.add(one);
          if (does === 'change') heap.changed(one);
          one.isIn = does !== 'remove';
          const ranks = ones.filter(({ isIn }) => isIn).map((each) => each.rank);
          expect(heap.size).to.equal(ranks.length);
          expect(heap.first()?.rank).to.equal(ranks.length === 0 ? undefined : Math.min(...ranks));
        }
      }),
    );
  });

  it('compares few of many for each change', () => {
    let compared = 0;
    const heap = new Heap<One>(
      (one, other) => {
        compared += 1;
        return one.rank < other.rank;
      },
      ({ place }) => place,
    );
    const ones = Array.from({ length: 4_096 }, (_, n): One => ({
      rank: (n * 7_919) % 4_096,
      isIn: true,
      place: newPlace(),
    }));
    for (const one of ones) heap.add(one);
    for (const one of ones) {
      compared = 0;
      one.rank = (one.rank * 31) % 4_096;
      heap.changed(one);
      expect(compared).to.be.at.most(2 * 13);
      compared = 0;
      heap.remove(one);
      heap.add(one);
      expect(compared).to.be.at.most(4 * 13);
    }
  });
});
