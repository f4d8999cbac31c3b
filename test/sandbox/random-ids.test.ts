import { expect } from 'chai';
import * as fc from 'fast-check';
import { Random } from '../../src/sandbox/random.ts';
import { randomTxnHash, randomUlid, randomUtr, randomUuid, randomWallet } from '../../src/sandbox/random-ids.ts';

describe('ids that follow from a seed', () => {
  it('have the forms of their kinds', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 0, max: 2 ** 48 - 1 }), (seed, epochMs) => {
        const random = new Random(seed);
        expect(randomUuid(random)).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(randomUlid(random, epochMs)).to.match(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
        expect(randomWallet(random)).to.match(/^0x[0-9a-f]{40}$/);
        expect(randomTxnHash(random)).to.match(/^0x[0-9a-f]{64}$/);
        expect(randomUtr(random)).to.match(/^([1-9]\d{11}|[1-9]\d{15}|[A-Z]{4}N\d{17})$/);
      }),
    );
  });

  it('write the time of a ULID as its specification does', () => {
    expect(randomUlid(new Random('a'), 1_469_918_176_385).slice(0, 10)).to.equal('01ARYZ6S41');
  });

  it('are the same for the same seed, and do not repeat', () => {
    const ids = (seed: string): readonly string[] => {
      const random = new Random(seed);
      return Array.from({ length: 1_000 }, () => randomUuid(random));
    };
    expect(ids('a')).to.deep.equal(ids('a'));
    expect(new Set([...ids('a'), ...ids('b')]).size).to.equal(2_000);
  });

  it('hang on the name of what they are derived for, not on what was made before', () => {
    const [used, unused] = [new Random('a'), new Random('a')];
    randomUuid(used);
    expect(randomUuid(used.derived('x'))).to.equal(randomUuid(unused.derived('x')));
    expect(randomUuid(used.derived('x'))).to.not.equal(randomUuid(unused.derived('y')));
  });

  it('spread evenly', () => {
    const random = new Random('a');
    const counts = [0, 0, 0, 0, 0, 0, 0];
    for (let i = 0; i < 70_000; i += 1) {
      const n = random.below(7);
      counts[n] = (counts[n] ?? 0) + 1;
    }
    for (const count of counts) expect(count).to.be.within(9_500, 10_500);
  });
});
