/** Controls, what turns the direction of writing or begins a line, and what nobody sees, among it what joins and selects. */
const SUSPECT = /[\p{Cc}\p{DI}\u2028\u2029\u2800\ufff9-\ufffb]/gu;

/** Joiners and selectors of variants: seen by what they make of others. */
const JOINING = /^[\p{Join_C}\p{VS}]$/u;

/** What they are written behind, and letters of scripts that have such forms. */
const JOINED = /^[\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Join_C}]$/u;
const LETTER = /^\p{L}$/u;
const WITHOUT_FORMS = /^[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}]$/u;

/** A digit in a box is one with a selector and this behind it. */
const KEYCAP = '\u20e3';

const characterBefore = (text: string, at: number): string => {
  const last = text.charCodeAt(at - 1);
  const isLowSurrogate = last >= 0xdc00 && last <= 0xdfff;
  return text.slice(isLowSurrogate ? at - 2 : at - 1, at);
};

const isSeen = (text: string, character: string, at: number): boolean => {
  if (!JOINING.test(character)) return false;
  if (text.startsWith(KEYCAP, at + 1)) return true;
  const before = at === 0 ? '' : characterBefore(text, at);
  return JOINED.test(before) || (LETTER.test(before) && !WITHOUT_FORMS.test(before));
};

/**
 * A text as it may be shown to a person, so that it looks like nothing that it isn't and steers no terminal: C0, DEL and C1
 * controls, the characters that turn the direction of writing or begin a line, and those that nobody sees are shown by a code:
 * two utrs that differ by a blank without width look the same. Joiners and selectors of variants are left alone where scripts
 * and emoji need them, behind letters of scripts that have such forms, marks and pictures.
 */
export const withUnseenShown = (text: string, code: (character: string) => string): string =>
  text.replaceAll(SUSPECT, (character: string, at: number) =>
    isSeen(text, character, at) ? character : code(character),
  );

/** Such a character as JSON and JavaScript write it, `\u200b`, each half of a longer one by itself. */
export const escapeOf = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
