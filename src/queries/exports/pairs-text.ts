import type { JsonObject } from '../../domain/json.ts';
import { cellTextOf } from './export-column.ts';

/** What stands directly in an object, for people: `name: value`, `;` between; deeper things as JSON, what is blank left out. */
export const pairsText = (object: JsonObject): string =>
  Object.entries(object)
    .map(([name, value]) => [name, cellTextOf(value)] as const)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name}: ${text}`)
    .join('; ');
