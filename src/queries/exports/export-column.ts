import { isJsonNumber, isJsonObject, member, numberText, type JsonObject, type JsonValue } from '../../domain/json.ts';

/** A column of a table that resources are the rows of. Its name is the JSON path of its cells, and never changes. */
export type ExportColumn = {
  readonly name: string;
  /** Whether its cells are amounts or counts. A reference is neither, even where it consists of digits. */
  readonly isNumber: boolean;
  readonly valueIn: (resource: JsonObject) => JsonValue | undefined;
};

/** The column of a path like `fiat.amount`. */
export const columnAt = (name: string, isNumber = false): ExportColumn => {
  const path = name.split('.');
  return {
    name,
    isNumber,
    valueIn: (resource) => {
      let value: JsonValue | undefined = resource;
      for (const key of path) value = isJsonObject(value) ? member(value, key) : undefined;
      return value;
    },
  };
};

/** A value as the text of a cell: empty where there is none, numbers with exactly their digits, what has members as JSON. */
export const cellTextOf = (value: JsonValue | undefined): string => {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (isJsonNumber(value)) return numberText(value);
  return typeof value === 'boolean' ? String(value) : JSON.stringify(value);
};
