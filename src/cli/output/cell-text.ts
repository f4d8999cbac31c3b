import type { JsonValue } from '../../domain/json.ts';
import { STEERING_CHARACTERS } from '../../domain/steering-characters.ts';

const codeOf = (character: string): string => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;

const escaped = (text: string): string => text.replaceAll(STEERING_CHARACTERS, codeOf);

/** Text of lines and tabs for people, other controls that came in it by their codes. */
export const withoutControls = (text: string): string =>
  text.replaceAll(STEERING_CHARACTERS, (character) =>
    character === '\n' || character === '\t' ? character : codeOf(character),
  );

/** A value as a cell of a table for people; controls that came in it are escaped, so that it can't steer a terminal. */
export const cellText = (value: JsonValue | undefined): string => {
  if (value === undefined || value === null) return '–';
  return escaped(typeof value === 'string' ? value : JSON.stringify(value));
};
