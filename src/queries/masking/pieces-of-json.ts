import { isPersonalKey } from '../../domain/personal-key.ts';

/** Before a colon a key is looked for so far: no field's name is longer. */
const LONGEST_KEY = 200;
const MOST_BLANKS = 16;

/** JSON's own, and that of what programs print in its place. */
const QUOTES: readonly string[] = ['"', "'"];

/** What is left of a text before a place without blanks at its end; of many only some are looked at. */
const endWithoutBlanks = (text: string, at: number): number => {
  let end = at;
  while (end > 0 && at - end < MOST_BLANKS && /\s/.test(text.charAt(end - 1))) end -= 1;
  return end;
};

/** A key as JSON writes it between its quotes, read; as it is where it is no JSON. */
const keyOf = (written: string): string => {
  if (!written.includes('\\')) return written;
  try {
    const read: unknown = JSON.parse(`"${written}"`);
    return typeof read === 'string' ? read : written;
  } catch {
    return written;
  }
};

/**
 * Whether a text that is no JSON has a member of an object in it whose key names personal data: several documents behind each other, one
 * that was cut off, or one with something before it. What belongs to that member can't be told then.
 */
export const hasPersonalMember = (text: string): boolean => {
  for (let colon = text.indexOf(':'); colon !== -1; colon = text.indexOf(':', colon + 1)) {
    const end = endWithoutBlanks(text, colon) - 1;
    const quote = text.charAt(end);
    if (end < 1 || !QUOTES.includes(quote)) continue;
    const before = text.slice(Math.max(0, end - LONGEST_KEY), end);
    if (isPersonalKey(keyOf(before.slice(before.lastIndexOf(quote) + 1)))) return true;
  }
  return false;
};
