import { areWordsOfAMatch } from './key-of-a-match.ts';
import { Recent } from './recent.ts';
import { keyWords } from './key-words.ts';

/**
 * Keys that name personal data (docs/spec/http.md, Personal data); `firstname`, `cardNo` and `account_number` name it
 * too.
 */
const PERSONAL = /mail|phone|mobile|contact|name|holder|account|iban|ifsc|vpa|card|a{1,2}dh?a{1,2}r|passport|birth/i;

/** The same words wherever they begin, also within one another. Written out, so that it is judged as it is. */
const PERSONAL_ANYWHERE =
  /(?=(mail|phone|mobile|contact|name|holder|account|iban|ifsc|vpa|card|a{1,2}dh?a{1,2}r|passport|birth))/gi;

/** The longest of these words is of no more words than this, however they are cut: `pAsSpOrT` is five. */
const MOST_WORDS = 5;

/** Words of money and software that have such a word in them and name nobody. */
const NOT_PERSONAL = /cardano|cardinal(?:ity)?|discard(?:s|ed)?|scorecards?|tournaments?|namespaces?|placeholders?/i;

/** What people write behind UPI and PAN in one word with them. */
const UPI = /^upi|upis?$|upi(?:id|vpa|handle|address|no|num|link|qr)/i;
const PAN = /^pan|pans?$|(?<!s)pan(?:id|no|num)/i;

/** What has neither of them anywhere is not looked at word by word. */
const UPI_OR_PAN = /upi|pan/i;

/** Other words with these letters where a word begins or ends. All that is none of them names the number of a person. */
const NOT_PAN =
  /^pan(?:el|ic|es?$|das?$|dora|cake|dem|ts$|try|ther|theon|oram|ama|gs?$|ache)|^(?:(?:time|life|wing|make|row|col)?s|ja|marzi|tre|sauce)pans?$/i;

/** Runs of letters: in `PANnumber` nothing says where a word ends. */
const letterRuns = (key: string): readonly string[] => key.split(/[^\p{L}]+/u);

/** What nobody sees in a key, or sees above a letter of it: joiners, soft hyphens, fillers, marks of direction, accents. */
const UNSEEN = /[\p{Cf}\p{M}\p{DI}]/gu;

/**
 * A longer key is no field's name, and is taken for one that names personal data: plain letters of it may be eighteen
 * times as many, and looking through them would hold a thread.
 */
const LONGEST_JUDGED = 1_000;

/**
 * Words, whatever their script, width and accents, have up to so many times their length in plain letters. What has more
 * is no field's name either: a body full of such keys would hold a thread eighteen times as long as other bodies of its size.
 */
const MOST_PLAIN_PER_CHARACTER = 4;

const isPlainWord = (word: string): boolean => NOT_PERSONAL.exec(word)?.[0] === word;

/** A key without the words that name nobody, where they are whole words of it: `cardAnonToken` has none of them. */
const withoutPlainWords = (key: string): string =>
  key.replaceAll(/\p{L}+/gu, (run) =>
    keyWords(run)
      .map((word) => (isPlainWord(word) ? ' ' : word))
      .join(''),
  );

/**
 * Whether these words have a personal one within one of them, or one that begins where one of them does and goes on in the next.
 * In one pass: a look from each word into those behind it would hold a thread for a key of many.
 */
const haveOneOfTheirOwn = (words: readonly string[]): boolean => {
  const letters = words.join('');
  const begins = new Uint8Array(letters.length + 1);
  let length = 0;
  for (const word of words) {
    begins[length] = 1;
    length += word.length;
  }
  for (const { index, 1: found = '' } of letters.matchAll(PERSONAL_ANYWHERE)) {
    const wordsBehind = begins.subarray(index + 1, index + found.length).reduce((sum, one) => sum + one, 0);
    if (wordsBehind === 0 || (begins[index] === 1 && wordsBehind < MOST_WORDS)) return true;
  }
  return false;
};

/**
 * Whether a key has such a word in it, of letters that several of its words share too: some write `iFSCCode` and `vpAddress`. What
 * names a utr, a wallet or a hash itself has one that begins where a word of the key does, or is within one: `prevPayoutUtr` has
 * no `vpa`.
 */
const hasPersonalWord = (key: string, words: readonly string[]): boolean => {
  if (!PERSONAL.test(key)) return false;
  const plain = NOT_PERSONAL.test(key) ? withoutPlainWords(key) : key;
  if (!PERSONAL.test(plain)) return false;
  const its = plain === key ? words : words.filter((word) => !isPlainWord(word));
  return !areWordsOfAMatch(its) || haveOneOfTheirOwn(its);
};

/** In other words these letters stand too (company, occupied, span). */
const namesUpiOrPan = (word: string): boolean => UPI.test(word) || (PAN.test(word) && !NOT_PAN.test(word));

const namesPersonalData = (key: string): boolean => {
  const decomposed = key.normalize('NFKD');
  if (decomposed.length > MOST_PLAIN_PER_CHARACTER * key.length) return true;
  // An `i` without its dot is what some locales make of a capital one.
  const plain = decomposed.replace(UNSEEN, '').replaceAll('ı', 'i');
  const words = keyWords(plain);
  if (hasPersonalWord(plain, words)) return true;
  return UPI_OR_PAN.test(plain) && [...words, ...letterRuns(plain)].some(namesUpiOrPan);
};

/** Merchants' own keys are among them, thousands in one body; longer ones are looked at each time. */
const MOST_KEYS = 20_000;
const LONGEST_KEY = 100;

/** What was found of keys, which are the same in every order. */
const known = new Recent<string, boolean>(MOST_KEYS);

/** Whether a key names personal data, in letters of any width, with any accents, and whatever stands between them unseen. */
export const isPersonalKey = (key: string): boolean => {
  const before = known.get(key);
  if (before !== undefined) return before;
  const found = key.length > LONGEST_JUDGED || namesPersonalData(key);
  if (key.length <= LONGEST_KEY) known.put(key, found);
  return found;
};
