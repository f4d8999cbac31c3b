import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { parameter, readParameters, type Reader } from '../../../src/queries/parameters/parameters.ts';

const WORDS = ['PayoutSuccess', 'PayoutFailed', 'OrderExpired'];

/** A list of words, none of which is right. */
const LIST: Reader<string> = { expected: 'types', schema: {}, read: () => null, words: WORDS };

const meantIn = (text: string): readonly string[] => {
  const read = readParameters([['type', text]], { type: parameter('Types.', LIST) }, () => true);
  if (E.isRight(read) || read.left._tag !== 'InvalidParameter') return expect.fail('it was read');
  const { fault } = read.left;
  return fault._tag === 'IllFormed' ? fault.meant : expect.fail(fault._tag);
};

describe('the words that somebody may have meant', () => {
  it('are told of each wrong word of a list, once', () => {
    expect(meantIn('PayoutSucess,PayoutFailed,OrderExpird,PayoutSucess')).to.deep.equal([
      'PayoutSuccess',
      'OrderExpired',
    ]);
  });

  it('are looked for of the first few wrong ones alone, however many there are: each is compared with all, letter by letter', () => {
    const slips = Array.from({ length: 5_000 }, (_, at) => `PayoutFailed${at % 90}`);
    expect(meantIn(slips.join(','))).to.have.length(8);
    expect(meantIn(','.repeat(15_500))).to.deep.equal([]);
    expect(meantIn(`${','.repeat(15_500)}PayoutSucess`)).to.deep.equal(['PayoutSuccess']);
  });
});
