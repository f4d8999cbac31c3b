import { isJsonArray, isJsonObject, member, type JsonObject } from '../../domain/json.ts';
import { cellText } from './cell-text.ts';
import { columns, type Alignment } from './columns.ts';

/** The objects of an array member; none where it is no array. */
export const objectsOf = (object: JsonObject, key: string): readonly JsonObject[] => {
  const value = member(object, key);
  return value !== undefined && isJsonArray(value) ? value.filter(isJsonObject) : [];
};

/**
 * Objects as a table for people: a heading of their members' names, then a line for each.
 *
 * @param width of the terminal; null: no line is too long
 */
export const jsonTable = (
  names: readonly string[],
  objects: readonly JsonObject[],
  width: number | null,
  alignments: readonly Alignment[] = [],
): string =>
  columns([names, ...objects.map((object) => names.map((name) => cellText(member(object, name))))], alignments, width);
