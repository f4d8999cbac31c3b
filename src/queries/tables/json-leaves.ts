import { isJsonArray, isJsonNumber, numberText, type JsonNumber, type JsonValue } from '../../domain/json.ts';

/** A single value as the text of a cell: empty for null, numbers with exactly their digits. */
const leafText = (value: JsonNumber | string | boolean | null): string => {
  if (value === null) return '';
  return isJsonNumber(value) ? numberText(value) : String(value);
};

/** The single values inside of a value with their JSON paths (`fiat.asked`, `tokens.0.amount`), in their order. */
export const jsonLeaves = (value: JsonValue, path = ''): readonly (readonly [string, string])[] => {
  if (typeof value !== 'object' || value === null || isJsonNumber(value)) return [[path, leafText(value)]];
  const members = isJsonArray(value) ? value.map((inner, i) => [String(i), inner] as const) : Object.entries(value);
  return members.flatMap(([key, inner]) => jsonLeaves(inner, path === '' ? key : `${path}.${key}`));
};
