import { isIban } from '../../domain/iban.ts';

/** Letters and digits: anything else parts words. */
const BETWEEN_WORDS = /[^A-Z\d]+/;

/** What may be an IBAN as people write it, in groups of four. */
const GROUPS = /(?<![A-Z\d])[A-Z]{2}\d{2}(?: [A-Z\d]{4}){2,7}(?: [A-Z\d]{1,3}(?![A-Z\d]))?/g;

/** Of the income tax of India. */
const PAN = /^[A-Z]{5}\d{4}[A-Z]$/;

const hasIbanInGroups = (text: string): boolean =>
  [...text.matchAll(GROUPS)].some(([found]) => {
    const groups = found.split(' ');
    return groups.some((_, at) => isIban(groups.slice(0, at + 1).join('')));
  });

/** Whether a text has an IBAN in it, or a PAN: what is of this form is hardly anything else. */
export const hasIbanOrPan = (text: string): boolean => {
  const upper = text.toUpperCase();
  const words = upper.split(BETWEEN_WORDS);
  return (
    words.some((word) => PAN.test(word) || isIban(word) || isIban(word.replace(/^IBAN/, ''))) ||
    isIban(words.join('')) ||
    hasIbanInGroups(upper)
  );
};
