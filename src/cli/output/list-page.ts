import { member, type JsonObject } from '../../domain/json.ts';
import type { Terminal } from '../command-context.ts';
import { fits, type Alignment } from './columns.ts';
import { jsonTable, objectsOf } from './json-table.ts';

export type ListForm = {
  readonly json: boolean;
  /** The members that the table shows. */
  readonly names: readonly string[];
  /** An entry as the table shows it. */
  readonly shown?: (entry: JsonObject) => JsonObject;
  /** How its columns stand, from the first. */
  readonly alignments?: readonly Alignment[];
  /** The members to do without, the first one first, in a terminal that is too narrow for all of them. */
  readonly dispensable?: readonly string[];
};

/** The table of all members, or of as many as a terminal has room for, and then a line that names those left out. */
const fittedTable = (entries: readonly JsonObject[], width: number | null, form: ListForm): string => {
  const { names, alignments = [], dispensable = [] } = form;
  const without = (left: ReadonlySet<string>): string => {
    const kept = names.filter((name) => !left.has(name));
    return jsonTable(
      kept,
      entries,
      width,
      kept.map((name) => alignments[names.indexOf(name)] ?? 'text'),
    );
  };
  const left = new Set<string>();
  let table = without(left);
  for (const name of dispensable) {
    if (fits(table, width)) break;
    left.add(name);
    table = without(left);
  }
  return left.size === 0 ? table : `${table}left out: ${[...left].join(', ')} (--json has them)\n`;
};

/**
 * Writes a page of a list, `{data, next}`: as the HTTP resource, or as a table, and then how the list goes on to standard
 * error.
 */
export const writeListPage = (
  { out, note, width }: Pick<Terminal, 'out' | 'note' | 'width'>,
  list: JsonObject,
  form: ListForm,
): void => {
  if (form.json) {
    out(`${JSON.stringify(list)}\n`);
    return;
  }
  const entries = objectsOf(list, 'data');
  out(fittedTable(form.shown === undefined ? entries : entries.map(form.shown), width, form));
  const next = member(list, 'next');
  if (typeof next === 'string') note(`there is more: --cursor ${next}\n`);
};
