import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { leastMemory } from '../../src/composition/least-memory.ts';

const GIB = 1_024 ** 3;

describe('how much memory a ledger that serves must be able to set aside', () => {
  it('is what all of its threads do, and a limit that is not known is none', () => {
    expect(leastMemory([])).to.deep.equal(E.right(undefined));
    const enough = leastMemory([
      { kind: 'data', bytes: 3 * GIB },
      { kind: 'address space', bytes: 8 * GIB },
    ]);
    expect(enough).to.deep.equal(E.right(undefined));
  });

  it('is said in one line with what to raise, where a limit is lower', () => {
    for (const [kind, bytes, line] of [
      ['data', 3 * GIB - 1, /only 3071 MiB of data.*3 GiB.*ulimit -d.*LimitDATA/],
      ['address space', 8 * GIB - 1, /only 8191 MiB of address space.*8 GiB.*ulimit -v.*LimitAS/],
    ] as const) {
      const refused = leastMemory([{ kind, bytes }]);
      expect(E.isLeft(refused) ? refused.left : refused).to.have.property('status', 1);
      expect(E.isLeft(refused) ? refused.left.line : '').to.match(line);
    }
  });
});
