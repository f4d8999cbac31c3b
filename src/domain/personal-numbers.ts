import { ibanAt } from './iban.ts';

/** Letters and digits: anything else parts words, or groups of a number. */
const WORD = /[A-Z\d]+/g;

/** What an account's number stands behind, in one word with it or before it. */
const ACCOUNT_LABEL = /IBAN|ACCOUNT|ACCT|KONTO|CUENTA|COMPTE|CONTO|REKENING/g;

/** Of the income tax of India, whatever marks stand between its letters and its digits. */
const PAN = /(?<![A-Z\d])[A-Z]{5}[^A-Z\d]{0,3}\d{4}[^A-Z\d]{0,3}[A-Z](?![A-Z\d])/;

/** One in a longer word: behind its name, or in the number of a business for its sales tax (GSTIN). */
const PAN_IN_WORD = /(?<![A-Z\d])(?:PAN(?:NO)?[A-Z]{5}\d{4}[A-Z]|\d{2}[A-Z]{5}\d{4}[A-Z][A-Z\d]Z[A-Z\d](?![A-Z\d]))/;

/** What an IBAN begins with, in one word: `NO 9386011117947` is hardly ever one. */
const BEGINNING = 4;

/**
 * Whether an IBAN is among words without the marks between them: from where a word begins, or behind a label, even within a word. Its
 * country stands apart from its check digits only where it is all of the text.
 */
const hasIban = (words: readonly string[]): boolean => {
  const joined = words.join('');
  if (ibanAt(joined, 0)?.length === joined.length) return true;
  let begin = 0;
  for (const { length } of words) {
    if (length >= BEGINNING && ibanAt(joined, begin) !== null) return true;
    begin += length;
  }
  return joined.matchAll(ACCOUNT_LABEL).some(({ index, 0: label }) => ibanAt(joined, index + label.length) !== null);
};

/**
 * Whether a text has an IBAN in it, or a PAN, whatever marks stand between their groups: what is of this form is hardly anything else.
 * Takes time linear in the text.
 */
export const hasIbanOrPan = (text: string): boolean => {
  // Letters and digits of full width are the same ones.
  const upper = text.normalize('NFKC').toUpperCase();
  return PAN.test(upper) || PAN_IN_WORD.test(upper) || hasIban(upper.match(WORD) ?? []);
};
