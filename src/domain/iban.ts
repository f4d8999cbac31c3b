import { IBAN_FORMS } from './iban-forms.ts';

/** Digits behind each other, by the remainder of 97; letters count from 10 on. */
const remainder = (text: string): number =>
  Array.from(text).reduce((sum, character) => {
    const value = Number.parseInt(character, 36);
    return (sum * (value > 9 ? 100 : 10) + value) % 97;
  }, 0);

/**
 * The IBAN that begins at a place of a text, whatever stands behind it; null where none does. It has the length and form of its
 * country and the check digits that it must have (ISO 13616). Check digits alone hold by chance for one text in 97.
 *
 * @param text in upper case, without marks between the groups of a number
 */
export const ibanAt = (text: string, at: number): string | null => {
  const form = IBAN_FORMS.get(text.slice(at, at + 2));
  if (form === undefined) return null;
  form.lastIndex = at;
  const iban = form.exec(text)?.[0];
  return iban !== undefined && remainder(iban.slice(4) + iban.slice(0, 4)) === 1 ? iban : null;
};
