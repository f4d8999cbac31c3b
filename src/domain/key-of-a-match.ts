import { keyWords } from './key-words.ts';

/** What names a utr, a wallet or a hash itself, as the last word of a key. */
const ITSELF = /^utrs?$|wallets?$|^(?:txn?|transaction|block)?hash(?:es)?$/i;

/** What may stand behind that word, of the key or of one word with it. */
const SORT = /^(?:address(?:es)?|addr|id|no|num|number|ref)$/i;
const WITH_SORT = /(?:^utr|wallet)(?:address(?:es)?|addr|id|no|num|number|ref)$/i;

/** Whether a key of these words is that of what finance and auditors match by. */
export const areWordsOfAMatch = (words: readonly string[]): boolean => {
  const [last = '', before = ''] = words.slice(-2).toReversed();
  return ITSELF.test(last) || WITH_SORT.test(last) || (SORT.test(last) && ITSELF.test(before));
};

/**
 * Whether a key is that of what finance and auditors match by: a utr, a wallet or a hash itself (docs/spec/http.md, Personal
 * data). What has such a word in it and goes on (`walletNote`, `utrComment`, `hashtag`) is something else about it.
 */
export const isKeyOfAMatch = (key: string): boolean => areWordsOfAMatch(keyWords(key));
