import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { leastOpenFiles } from '../../src/composition/least-open-files.ts';

describe('how many files a ledger that serves must be able to open', () => {
  it('is what it can answer with, and a limit that is not known is none', () => {
    for (const enough of [null, 128, 1_024]) expect(leastOpenFiles(enough)).to.deep.equal(E.right(undefined));
  });

  it('is said in one line with what to raise, where the limit is lower', () => {
    const refused = leastOpenFiles(40);
    expect(E.isLeft(refused) ? refused.left : refused).to.have.property('status', 1);
    expect(E.isLeft(refused) ? refused.left.line : '').to.match(/only 40 files open.*128.*ulimit -n.*LimitNOFILE/);
  });
});
