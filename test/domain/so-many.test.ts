import { expect } from 'chai';
import { soMany } from '../../src/domain/so-many.ts';
import { anotherBeginning } from '../../src/proofs/another-beginning.ts';

describe('a count with its noun', () => {
  it('is of one where it is one, and of several else', () => {
    expect([0, 1, 2, 12_000].map((count) => soMany(count, 'event'))).to.deep.equal([
      '0 events',
      '1 event',
      '2 events',
      '12000 events',
    ]);
    expect([1, 2].map((count) => soMany(count, 'delivery', 'deliveries'))).to.deep.equal([
      '1 delivery',
      '2 deliveries',
    ]);
  });

  it('has the verb of its number where a log begins with others', () => {
    expect([1, 3].map((size) => anotherBeginning(size, 'a checkpoint'))).to.deep.equal([
      'the first event of the log is not that of a checkpoint',
      'the first 3 events of the log are not those of a checkpoint',
    ]);
  });
});
