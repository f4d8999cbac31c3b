import type { JsonValue } from '../../domain/json.ts';
import { escapeOf, withUnseenShown } from '../../domain/unseen-characters.ts';

const escaped = (text: string): string => withUnseenShown(text, escapeOf);

/** Text of lines and tabs for people, other controls that came in it by their codes. */
export const withoutControls = (text: string): string =>
  withUnseenShown(text, (character) => (character === '\n' || character === '\t' ? character : escapeOf(character)));

/** A value as a cell of a table for people; controls that came in it are escaped, so that it can't steer a terminal. */
export const cellText = (value: JsonValue | undefined): string => {
  if (value === undefined || value === null) return '–';
  return escaped(typeof value === 'string' ? value : JSON.stringify(value));
};
