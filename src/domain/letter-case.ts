/**
 * Letter case of names that are ASCII: codes of currencies, addresses, names of members. Unicode has other letters that
 * become ASCII ones where case is taken away (`ı`, `ſ`, `ﬁ`, the sign of kelvin): a name with one of them is another name.
 */

const OTHER = /\P{ASCII}/u;

/** The text with `a` to `z` as `A` to `Z`, and all else as it is. */
export const upperAscii = (text: string): string =>
  OTHER.test(text) ? text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase()) : text.toUpperCase();

/** The text with `A` to `Z` as `a` to `z`, and all else as it is. */
export const lowerAscii = (text: string): string =>
  OTHER.test(text) ? text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text.toLowerCase();
