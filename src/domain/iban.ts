/** Two letters, two check digits, and what names bank and account. A creditor's reference (`RF`) is made alike, and names a bill. */
const FORM = /^(?!RF)[A-Z]{2}\d{2}[A-Z\d]{11,30}$/;

/** Digits behind each other, by the remainder of 97; letters count from 10 on. */
const remainder = (text: string): number =>
  Array.from(text).reduce((sum, character) => {
    const value = Number.parseInt(character, 36);
    return (sum * (value > 9 ? 100 : 10) + value) % 97;
  }, 0);

/** Whether a word is an IBAN with the check digits that it must have (ISO 13616), in upper case and without blanks. */
export const isIban = (word: string): boolean => FORM.test(word) && remainder(word.slice(4) + word.slice(0, 4)) === 1;
