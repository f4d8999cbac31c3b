import { expect } from 'chai';
import { Recent } from '../../src/domain/recent.ts';

describe('a cache of what was put last', () => {
  it('keeps half as many at least and as many at most, and forgets the oldest', () => {
    const recent = new Recent<number, number>(10);
    for (let i = 0; i < 100; i += 1) recent.put(i, i);
    const kept = Array.from({ length: 100 }, (_, i) => recent.get(i)).filter((value) => value !== undefined);
    expect(kept.length).to.be.within(5, 10);
    expect(kept).to.deep.equal(Array.from({ length: kept.length }, (_, i) => 100 - kept.length + i));
  });

  it('keeps fewer where they weigh more, and the last however much it weighs', () => {
    const recent = new Recent<string, number>(100, (weight) => weight);
    for (const [key, weight] of [
      ['a', 20],
      ['b', 40],
      ['c', 1_000],
    ] as const)
      recent.put(key, weight);
    expect(['a', 'b', 'c'].map((key) => recent.get(key))).to.deep.equal([undefined, undefined, 1_000]);
  });

  it('counts what is put again under its key once', () => {
    const recent = new Recent<string, number>(100, (weight) => weight);
    recent.put('other', 1);
    for (let i = 0; i < 100; i += 1) recent.put('same', i % 40);
    expect([recent.get('other'), recent.get('same')]).to.deep.equal([1, 19]);
  });
});
