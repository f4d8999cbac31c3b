import { expect } from 'chai';
import * as fc from 'fast-check';
import { mostKept, type SharingPart } from '../../src/statements/most-kept.ts';
import { runs } from '../support/runs.ts';

const turns = (): Promise<void> => Promise.resolve();

type Pair = readonly [one: number, other: number, many: number];

const partsOf = (places: readonly (readonly number[])[], pairs: readonly Pair[]): readonly SharingPart[] => {
  const parts = places.map((its) => ({ places: new Set(its.map(String)), shares: new Map<SharingPart, number>() }));
  for (const [a, b, many] of pairs) {
    const [one, other] = [parts[a % parts.length], parts[b % parts.length]];
    if (one === undefined || other === undefined || one === other) continue;
    const shared = Math.min(many, one.places.size, other.places.size);
    one.shares.set(other, shared);
    other.shares.set(one, shared);
  }
  return parts;
};

/** By all choices of them. */
const naive = (parts: readonly SharingPart[]): number => {
  let most = 0;
  for (let choice = 0; choice < 2 ** parts.length; choice += 1) {
    const kept = parts.filter((_, at) => ((choice >> at) & 1) === 1);
    const places = new Set(kept.flatMap((part) => [...part.places]));
    const shared = kept.flatMap((part, at) => kept.slice(0, at).map((other) => part.shares.get(other) ?? 0));
    most = Math.max(most, places.size - shared.reduce((sum, many) => sum + many, 0));
  }
  return most;
};

describe('what some parts of a day prove', () => {
  it('is the most that any choice of them does', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.nat(12), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 9 }),
        fc.array(fc.tuple(fc.nat(8), fc.nat(8), fc.integer({ min: 1, max: 4 })), { maxLength: 20 }),
        async (places, pairs) => {
          const parts = partsOf(places, pairs);
          expect(await mostKept(parts, turns)).to.equal(naive(parts));
          expect(await mostKept(parts.toReversed(), turns)).to.equal(naive(parts));
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it('is reckoned within bounds of parts that hang on one another, and is no less than any one proves', async () => {
    const places = Array.from({ length: 120 }, (_, at) => [at, at + 500]);
    const pairs = places.flatMap((_, at) => [1, 7, 31].map((by): Pair => [at, at + by, 1]));
    let given = 0;
    const most = await mostKept(partsOf(places, pairs), () => {
      given += 1;
      return Promise.resolve();
    });
    expect(most).to.be.within(2, 240);
    expect(given).to.be.below(1_000_000);
  });
});
