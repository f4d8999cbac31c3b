import { isJsonArray, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { cellText } from './cell-text.ts';
import { columns } from './columns.ts';

/** One row for each member, members of objects by their path; arrays have a row for each entry. */
const rows = (object: JsonObject, path = ''): (readonly string[])[] =>
  Object.entries(object).flatMap(([key, value]): (readonly string[])[] => {
    const name = `${path}${cellText(key)}`;
    if (isJsonArray(value)) {
      return value.length === 0 ? [[name, '–']] : value.map((entry, i) => [i === 0 ? name : '', entryText(entry)]);
    }
    return isPlainObject(value) ? rows(value, `${name}.`) : [[name, cellText(value)]];
  });

const isPlainObject = (value: JsonValue): value is JsonObject =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

const entryText = (entry: JsonValue): string =>
  isPlainObject(entry)
    ? Object.entries(entry)
        .filter(([key]) => key !== 'eventIds')
        .map(([, value]) => cellText(value))
        .join('  ')
    : cellText(entry);

/** An order for people: a line for each fact. */
export const orderPage = (resource: JsonObject): string => columns(rows(resource));
