import { expect } from 'chai';
import * as fc from 'fast-check';
import { TextMemory } from '../../src/domain/text-memory.ts';

/** Few keys, so that many are put again, some with characters that are kept by nobody. */
const key = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('', 'a', 'b', 'ab', 'ba', 'order-1', 'order-2', 'o'.repeat(80)) },
  { weight: 1, arbitrary: fc.constantFrom('\u00e4', '\ud83d\ude00') },
);
const text = fc.oneof(
  { weight: 9, arbitrary: fc.string({ maxLength: 40 }) },
  { weight: 1, arbitrary: fc.constantFrom('\u00e4', '\ud800', 'x'.repeat(5_000)) },
);

describe('texts that are remembered', () => {
  it('are those that were put last under their keys, or none', () => {
    const remembers = (puts: readonly (readonly [string, string])[]): void => {
      const memory = new TextMemory(6, 4_000);
      const all = new Map<string, string>();
      for (const [of, its] of puts) {
        const before = memory.get(of);
        if (memory.put(of, its)) {
          all.set(of, its);
          expect(memory.get(of)).to.equal(its);
        } else expect(memory.get(of)).to.be.oneOf([before, null]);
        for (const [known, last] of all) expect(memory.get(known)).to.be.oneOf([last, null]);
      }
    };
    fc.assert(fc.property(fc.array(fc.tuple(key, text), { maxLength: 40 }), remembers));
  });

  it('are at least half as many of the last as may be, where they are short, however many there were', () => {
    const memory = new TextMemory(1_000, 100_000);
    for (let n = 0; n < 10_000; n += 1) {
      expect(memory.put(`order-${n}`, String(n))).to.equal(true);
      expect(memory.get(`order-${Math.max(0, n - 499)}`)).to.equal(String(Math.max(0, n - 499)));
    }
    expect(memory.get('order-8000')).to.equal(null);
    memory.clear();
    expect(memory.get('order-9999')).to.equal(null);
  });

  it('take the room that there is: of long ones there are fewer', () => {
    const memory = new TextMemory(1_000, 100_000);
    for (let n = 0; n < 1_000; n += 1) expect(memory.put(`order-${n}`, 'x'.repeat(1_000))).to.equal(true);
    const there = Array.from({ length: 1_000 }, (_, n) => memory.get(`order-${n}`)).filter((it) => it !== null);
    expect(there.length).to.be.within(48, 98);
    expect(memory.get('order-999')).to.have.length(1_000);
  });

  it('stay there while more room is taken, for many or for a long one', () => {
    const memory = new TextMemory(20_000, 16_000_000);
    const textOf = (n: number): string => `${n} ${'x'.repeat(n % 200)}`;
    const long = 'y'.repeat(400_001);
    for (let n = 0; n < 5_000; n += 1) expect(memory.put(`order-${n}`, textOf(n))).to.equal(true);
    expect(memory.put('long', long)).to.equal(true);
    for (let n = 0; n < 5_000; n += 1) expect(memory.get(`order-${n}`)).to.equal(textOf(n));
    expect(memory.get('long')).to.equal(long);
  });
});
