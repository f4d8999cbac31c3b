import { isJsonArray, isJsonObject, member, type JsonObject } from '../domain/json.ts';
import { cellText } from './cell-text.ts';
import { columns } from './columns.ts';

/** The objects of an array member; none where it is no array. */
export const objectsOf = (object: JsonObject, key: string): readonly JsonObject[] => {
  const value = member(object, key);
  return value !== undefined && isJsonArray(value) ? value.filter(isJsonObject) : [];
};

/** Objects as a table for people: a heading of their members' names, then a line for each. */
export const jsonTable = (names: readonly string[], objects: readonly JsonObject[]): string =>
  columns([names, ...objects.map((object) => names.map((name) => cellText(member(object, name))))]);
