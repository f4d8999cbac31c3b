/**
 * A word ends where a small letter is before a capital one, and before the last of several capital ones that a small one
 * follows. Found as a whole: to split at these places looks around each letter, and takes twice as long.
 */
const WORD = /(?:\p{Lu}(?!\p{Lu}\p{Ll})|\p{Ll}(?!\p{Lu})|[\p{Lt}\p{Lm}\p{Lo}])*\p{L}/gu;

/** The words that a key is made of: `walletOwnerName` is three. */
export const keyWords = (key: string): readonly string[] => key.match(WORD) ?? [];
