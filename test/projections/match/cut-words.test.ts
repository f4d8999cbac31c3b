import { expect } from 'chai';
import { cutKeys, cutWords } from '../../../projections/match/cut-words.ts';

const LIKELY = true;
const NOT_LIKELY = false;

describe('words that blanks may have cut', () => {
  const found: readonly (readonly [text: string, ...words: readonly (readonly [string, boolean])[]])[] = [
    // The fewest digits, with the first of them and the last, and the fewest characters that begin with a bank's name.
    ['AAAAAA012345 789A', ['AAAAAA012345789A', LIKELY]],
    ['AAAAAA012345 78AA'],
    ['AAAAAA012345 789'],
    ['012345 678901', ['012345678901', LIKELY]],
    ['012345 67890'],
    ['A0123456789 01234567890', ['A012345678901234567890', LIKELY]],
    ['A0123456789 012345678901'],
    ['0123\n4567\t8901', ['012345678901', LIKELY]],
    ['012 345 678 901'],
    // A piece without a digit, before the others and behind them.
    ['AAAAAA 012345678A', ['AAAAAA012345678A', NOT_LIKELY]],
    ['012345678901 AAAA', ['012345678901AAAA', NOT_LIKELY]],
    // Behind a mark is another word.
    ['012345 678901/A 2345', ['012345678901', LIKELY]],
    ['012345/ 678901'],
    ['012345 /678901'],
  ];
  for (const [text, ...words] of found) {
    it(`${JSON.stringify(text)}: [${words.map(([word]) => word).join(', ')}]`, () => {
      expect(cutWords(text)).to.deep.equal(words.map(([word]) => word));
      expect(cutKeys(text)).to.deep.equal(words.flatMap(([word, isLikely]) => (isLikely ? [word] : [])));
    });
  }

  for (const [text, ...keys] of [
    ['UTR41234567 8901', 'UTR412345678901'],
    ['NEFTSBIN22606 9123456', 'NEFTSBIN226069123456'],
    ['UTR41234567 890'],
    ['UTR PAID ON41234567 890'],
    ['UTR 41234567 8901', '412345678901'],
    ['NEFTABCDEF0123456789 0123456', 'NEFTABCDEF01234567890123456'],
    ['NEFTABCDEF0123456789 01234567'],
  ] as const) {
    it(`behind the way of the payment, ${JSON.stringify(text)}: [${keys.join(', ')}]`, () => {
      expect(cutKeys(text)).to.deep.equal(keys);
    });
  }
});
