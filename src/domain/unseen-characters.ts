/**
 * What nothing that is shown to a person may hold, so that it looks like nothing that it isn't and steers no terminal: C0, DEL
 * and C1 controls, the characters that turn the direction of writing or begin a line, and those that nobody sees: two utrs
 * that differ by a zero-width space look the same. Joiners and selectors of variants are left alone where scripts and emoji
 * need them, behind letters of scripts that have such forms, marks and pictures. For `replaceAll`: it keeps a state.
 */
export const UNSEEN_CHARACTERS =
  /[\p{Cc}\u2028\u2029\ufff9-\ufffb]|(?![\p{Join_C}\p{VS}])\p{DI}|(?<!\p{M}|\p{ExtPict}|\p{EMod}|\p{Join_C}|(?!\p{sc=Latin}|\p{sc=Greek}|\p{sc=Cyrillic})\p{L})[\p{Join_C}\p{VS}](?!\u20e3)/gu;

/** Such a character as JSON and JavaScript write it, `\u200b`, each half of a longer one by itself. */
export const escapeOf = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
