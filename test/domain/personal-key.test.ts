import { performance } from 'node:perf_hooks';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { isKeyOfAMatch } from '../../src/domain/key-of-a-match.ts';
import { keyWords } from '../../src/domain/key-words.ts';
import { isPersonalKey } from '../../src/domain/personal-key.ts';
import { runs } from '../support/runs.ts';

const PERSONAL = /mail|phone|mobile|contact|name|holder|account|iban|ifsc|vpa|card|a{1,2}dh?a{1,2}r|passport|birth/i;
const PLAIN = /^(?:cardano|cardinal(?:ity)?|discard(?:s|ed)?|scorecards?|tournaments?|namespaces?|placeholders?)$/i;
const MOST_WORDS = 5;

/** The rule as docs/spec/http.md has it, word by word: too slow for keys of many words. */
const hasPersonalWord = (key: string): boolean => {
  const plain = key.replaceAll(/\p{L}+/gu, (run) =>
    keyWords(run)
      .map((word) => (PLAIN.test(word) ? ' ' : word))
      .join(''),
  );
  if (!PERSONAL.test(plain) || !isKeyOfAMatch(plain)) return PERSONAL.test(plain);
  return keyWords(plain).some(
    (word, at, words) => PERSONAL.test(word) || PERSONAL.exec(words.slice(at, at + MOST_WORDS).join(''))?.index === 0,
  );
};

const words = fc.constantFrom(
  'mail',
  'name',
  'holder',
  'account',
  'iban',
  'ifsc',
  'vpa',
  'card',
  'aadhaar',
  'adar',
  'passport',
  'birth',
  'pho',
  'ne',
  'contact',
  'mobile',
  'prev',
  'payout',
  'recv',
  'paid',
  'x',
  'na',
  'me',
  'aa',
  'dh',
  'ar',
  'c',
  'ard',
  'ano',
  'cardano',
  'cardinal',
  'discarded',
  'scorecard',
  'tournaments',
  'namespace',
  'placeholder',
  'bank',
  'tx',
);

/** A word as it may be written: each of its letters in a case of its own, or all of them as words are in keys. */
const written = fc.oneof(
  words,
  words.map((word) => word.toUpperCase()),
  words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)),
  fc
    .tuple(words, fc.nat())
    .map(([word, bits]) =>
      Array.from(word, (one, at) => (((bits >> at) & 1) === 1 ? one.toUpperCase() : one)).join(''),
    ),
  fc
    .tuple(words, fc.nat({ max: 8 }), fc.constantFrom('_', '-', '.', '1'))
    .map(([word, at, mark]) => word.slice(0, at) + mark + word.slice(at)),
);

const ends = fc.constantFrom('Utr', 'utr', 'UTR', '_utr', 'Wallet', 'TxHash', 'UtrNo', 'WalletAddress', 'Amount', '');

const keys = fc
  .tuple(fc.array(fc.tuple(written, fc.constantFrom('', '', '', '_', '2')), { maxLength: 4 }), ends)
  .map(([parts, end]) => parts.flat().join('') + end)
  // UPI and PAN have rules of their own.
  .filter((key) => !/pan|upi/i.test(key.replaceAll(/\P{L}/gu, '')));

describe('a key', () => {
  it('names personal data by the same rule whether its words are looked through one by one or in one pass', () => {
    const told = { personal: 0, ofAMatch: 0 };
    fc.assert(
      fc.property(keys, (key) => {
        const expected = hasPersonalWord(key);
        if (expected) told.personal += 1;
        if (!expected && isKeyOfAMatch(key) && PERSONAL.test(key.replaceAll(/\P{L}/gu, ''))) told.ofAMatch += 1;
        expect(isPersonalKey(key), key).to.equal(expected);
      }),
      { numRuns: runs(3_000) },
    );
    expect(Math.min(told.personal, told.ofAMatch)).to.be.greaterThan(20);
  });

  it('of very many words is through in little more time than one that has no such letters at all', () => {
    const took = (round: number, end: string): number => {
      const since = performance.now();
      for (let at = 0; at < 50; at += 1) isPersonalKey(`${'xY'.repeat(470)}z${round}${at}${end}`);
      return performance.now() - since;
    };
    expect(isPersonalKey(`${'xY'.repeat(470)}qmAilUtr`)).to.equal(false);
    const [withLetters, without] = [[Infinity], [Infinity]];
    for (let round = 0; round < 30; round += 1) {
      withLetters.push(took(round, 'qmAilUtr'));
      without.push(took(round, 'qmEilUtr'));
    }
    expect(Math.min(...withLetters) / Math.min(...without)).to.be.lessThan(4);
  });
});
