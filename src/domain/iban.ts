import { IBAN_FORMS } from './iban-forms.ts';

/** Digits behind each other, by the remainder of 97; letters count from 10 on. */
const remainder = (text: string): number =>
  Array.from(text).reduce((sum, character) => {
    const value = Number.parseInt(character, 36);
    return (sum * (value > 9 ? 100 : 10) + value) % 97;
  }, 0);

const isDigit = (character: string): boolean => character >= '0' && character <= '9';
const isLetter = (character: string): boolean => character >= 'A' && character <= 'Z';

/** Whether a character is of a kind of the registry. */
const isOf = (kind: string, character: string): boolean =>
  (kind !== 'a' && isDigit(character)) || (kind !== 'n' && isLetter(character));

/** A country and two check digits. */
const BEGINNING = 'aann';

/**
 * The IBAN that begins at a place of a text, whatever stands behind it; null where none does. It has the length and form of its
 * country and the check digits that it must have (ISO 13616). Check digits alone hold by chance for one text in 97.
 *
 * @param text in upper case, without marks between the groups of a number
 */
export const ibanAt = (text: string, at: number): string | null => {
  const form = IBAN_FORMS.get(text.slice(at, at + 2));
  if (form === undefined) return null;
  const kinds = BEGINNING + form;
  const iban = text.slice(at, at + kinds.length);
  if (iban.length < kinds.length) return null;
  for (let place = 0; place < kinds.length; place += 1) {
    if (!isOf(kinds.charAt(place), iban.charAt(place))) return null;
  }
  return remainder(iban.slice(4) + iban.slice(0, 4)) === 1 ? iban : null;
};
