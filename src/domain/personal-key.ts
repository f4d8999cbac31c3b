/**
 * Keys that name personal data (docs/spec/http.md, Personal data); `firstname`, `cardNo` and `account_number` name it
 * too.
 */
const PERSONAL = /mail|phone|mobile|contact|name|holder|account|iban|ifsc|vpa|card|a{1,2}dh?a{1,2}r|passport|birth/i;

/** Words of money and software that have such a word in them and name nobody. */
const NOT_PERSONAL = /cardano|cardinal(?:ity)?|discard(?:s|ed)?|scorecards?|tournaments?|namespaces?|placeholders?/gi;

/** Where a word ends within a key in which each begins with a capital letter: `prevPayout` has no `vpa` in it. */
const CAPITAL_BEGINS = /(?<=\p{Ll})(?=\p{Lu})/u;

/** What people write behind UPI and PAN in one word with them. */
const UPI = /^upi|upis?$|upi(?:id|vpa|handle|address|no|num|link|qr)/i;
const PAN = /^pan|pans?$|(?<!s)pan(?:id|no|num)/i;

/** Other words with these letters where a word begins or ends. All that is none of them names the number of a person. */
const NOT_PAN =
  /^pan(?:el|ic|es?$|das?$|dora|cake|dem|ts$|try|ther|theon|oram|ama|gs?$|ache)|^(?:(?:time|life|wing|make|row|col)?s|ja|marzi|tre|sauce)pans?$/i;

/** The words that a key is made of: `walletOwnerName` is three. */
export const keyWords = (key: string): readonly string[] =>
  key.split(/[^\p{L}]+|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u);

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

/** Whether one of the words has it in it, or several are it together, as in `iBan`. */
const hasPersonalWord = (words: readonly string[]): boolean =>
  words.some((word, at) => {
    const [next = '', afterNext = ''] = words.slice(at + 1, at + 3);
    return [word, word + next, word + next + afterNext].some((some, i) =>
      i === 0 ? PERSONAL.test(some) : PERSONAL.exec(some)?.[0] === some,
    );
  });

/** In other words these letters stand too (company, occupied, span). */
const namesUpiOrPan = (word: string): boolean => UPI.test(word) || (PAN.test(word) && !NOT_PAN.test(word));

const namesPersonalData = (key: string): boolean => {
  const decomposed = key.normalize('NFKD');
  if (decomposed.length > MOST_PLAIN_PER_CHARACTER * key.length) return true;
  // An `i` without its dot is what some locales make of a capital one.
  const plain = decomposed.replace(UNSEEN, '').replaceAll('ı', 'i');
  return (
    (PERSONAL.test(plain) && hasPersonalWord(plain.replaceAll(NOT_PERSONAL, ' ').split(CAPITAL_BEGINS))) ||
    [...keyWords(plain), ...letterRuns(plain)].some(namesUpiOrPan)
  );
};

/** What was found of keys, which are the same few in every order. */
const known = new Map<string, boolean>();
/** Merchants' own keys are among them: more, and longer ones, are looked at each time. */
const MOST_KEYS = 2_000;
const LONGEST_KEY = 100;

/** Whether a key names personal data, in letters of any width, with any accents, and whatever stands between them unseen. */
export const isPersonalKey = (key: string): boolean => {
  const before = known.get(key);
  if (before !== undefined) return before;
  const found = key.length > LONGEST_JUDGED || namesPersonalData(key);
  if (known.size < MOST_KEYS && key.length <= LONGEST_KEY) known.set(key, found);
  return found;
};
