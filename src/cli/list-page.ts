import { member, type JsonObject } from '../domain/json.ts';
import type { Alignment } from './columns.ts';
import type { Terminal } from './command-context.ts';
import { jsonTable, objectsOf } from './json-table.ts';

export type ListForm = {
  readonly json: boolean;
  /** The members that the table shows. */
  readonly names: readonly string[];
  /** An entry as the table shows it. */
  readonly shown?: (entry: JsonObject) => JsonObject;
  /** How its columns stand, from the first. */
  readonly alignments?: readonly Alignment[];
};

/**
 * Writes a page of a list, `{data, next}`: as the HTTP resource, or as a table, and then how the list goes on to standard
 * error.
 */
export const writeListPage = (
  { out, note, width }: Terminal,
  list: JsonObject,
  { json, names, shown, alignments }: ListForm,
): void => {
  if (json) {
    out(`${JSON.stringify(list)}\n`);
    return;
  }
  const entries = objectsOf(list, 'data');
  out(jsonTable(names, shown === undefined ? entries : entries.map(shown), width, alignments));
  const next = member(list, 'next');
  if (typeof next === 'string') note(`there is more: --cursor ${next}\n`);
};
