/**
 * Keys that name personal data (docs/spec/http.md, Personal data); `firstname`, `cardNo` and `account_number` name it
 * too.
 */
const PERSONAL = /mail|phone|mobile|contact|name|holder|account|iban|ifsc|vpa|card|a{1,2}dh?a{1,2}r|passport|birth/i;

/** Those that other words have in them (company, occupied): they are looked for as words, and as what one begins with. */
const PERSONAL_WORD = /^(?:upi(?:$|id|vpa|handle|address)|pan(?:$|s$|no|num|number|id))/i;

/** The words that a key is made of: `walletOwnerName` is three. */
export const keyWords = (key: string): readonly string[] =>
  key.split(/[^\p{L}]+|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u);

/** Runs of letters: in `PANnumber` nothing says where a word ends. */
const letterRuns = (key: string): readonly string[] => key.split(/[^\p{L}]+/u);

/** Whether a key names personal data, in letters of any width. */
export const isPersonalKey = (key: string): boolean => {
  const plain = key.normalize('NFKC');
  return PERSONAL.test(plain) || [...keyWords(plain), ...letterRuns(plain)].some((word) => PERSONAL_WORD.test(word));
};
