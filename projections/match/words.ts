const WORD = /[\p{L}\p{N}]+/gu;
const OF_A_WORD = /[\p{L}\p{N}]/u;

/** The words of a text: what letters and digits it has without anything between them, upper and lower case as they came. */
export const wordsOf = (text: string): readonly string[] => text.match(WORD) ?? [];

/** The longest word of a reference, the first of several: a text that has the reference as a whole word has this word too. */
export const chiefWord = (reference: string): string | null =>
  wordsOf(reference).reduce<string | null>(
    (longest, word) => (longest === null || word.length > longest.length ? word : longest),
    null,
  );

const touchesWord = (text: string, at: number): boolean => {
  const unit = text.codePointAt(at);
  return unit !== undefined && OF_A_WORD.test(String.fromCodePoint(unit));
};

/** What ends right before a place: the code point, of which a pair of surrogates is one. */
const before = (text: string, at: number): number =>
  at >= 2 && /[\udc00-\udfff]/.test(text.charAt(at - 1)) ? at - 2 : at - 1;

/** Whether a reference stands in a text with neither a letter nor a digit right before or behind it. */
export const hasWhole = (text: string, reference: string): boolean => {
  if (reference === '') return false;
  for (let at = text.indexOf(reference); at !== -1; at = text.indexOf(reference, at + 1)) {
    const isBegun = at > 0 && touchesWord(text, before(text, at));
    if (!isBegun && !touchesWord(text, at + reference.length)) return true;
  }
  return false;
};
