import Database from 'better-sqlite3';
import { createTables } from '../../src/read-models/sqlite/schema.ts';

/** A change of a table, and of which column; null: of whole rows. */
export type Damage = { readonly table: string; readonly column: string | null; readonly sql: string };

type Column = {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly isUnique: number;
  /** Columns of the primary key, or the number of the row. */
  readonly key: string;
};

/** Every column of the read models. */
const columns = (): readonly Column[] => {
  const database = new Database(':memory:');
  createTables(database);
  const found = database
    .prepare<[], Column>(
      `SELECT m.name AS "table", c.name AS "column", c.type AS type,
         EXISTS (SELECT 1 FROM pragma_index_list(m.name) i JOIN pragma_index_info(i.name) n
           WHERE i.origin = 'u' AND n.name = c.name) AS isUnique,
         coalesce((SELECT group_concat(k.name, ', ') FROM pragma_table_info(m.name) k WHERE k.pk > 0), 'rowid') AS key
         FROM sqlite_schema m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' ORDER BY m.name, c.cid`,
    )
    .all();
  database.close();
  return found;
};

/** Only some rows: the first or the last by their key. */
const where = ({ table, key }: Column, order: 'ASC' | 'DESC'): string => {
  const by = key.split(', ').map((name) => `${name} ${order}`);
  return `WHERE (${key}) = (SELECT ${key} FROM ${table} ORDER BY ${by.join(', ')} LIMIT 1)`;
};

/** Beside small changes: no JSON, numbers that go back, and such as JavaScript has no number for. */
const updates = (its: Column): readonly string[] => {
  const { column, type } = its;
  const [first, last] = [where(its, 'ASC'), where(its, 'DESC')];
  if (type === 'BLOB') {
    return [`x'' ${first}`, `substr(${column}, 1, length(${column}) - 1) ${last}`, `CAST(${column} || x'00' AS BLOB)`];
  }
  if (type === 'TEXT')
    return [`'[' ${first}`, `coalesce(${column}, '') || 'x' ${last}`, `'x' || coalesce(${column}, '')`];
  const value = `coalesce(${column}, 0)`;
  return [`${value} + 100 ${first}`, `-3 - ${value} ${last}`, `${value} + 1000`, `9007199254740993 + ${value} ${last}`];
};

/** A copy of a row under another key. */
const ghostOf = (its: readonly Column[]): string => {
  const [{ table, key } = { table: '', key: '' }] = its;
  const inKey = key.split(', ');
  const numbered = its.find(({ column, type }) => type === 'INTEGER' && inKey.includes(column));
  const values = its.map(({ column, isUnique }) => {
    if (column === numbered?.column) return `(SELECT max(${column}) + 1 FROM ${table})`;
    return isUnique === 1 || (numbered === undefined && inKey.includes(column)) ? `${column} || 'x'` : column;
  });
  const names = its.map(({ column }) => column).join(', ');
  return `INSERT INTO ${table} (${names}) SELECT ${values.join(', ')} FROM ${table} LIMIT 1`;
};

/** For each table: each of its columns changed, rows that are gone, and one that is too much. */
export const damages = (): ReadonlyMap<string, readonly Damage[]> =>
  new Map(
    [...Map.groupBy(columns(), ({ table }) => table)].map(([table, its]) => {
      const changed = its.flatMap((of) =>
        updates(of).map((value) => ({ table, column: of.column, sql: `UPDATE ${table} SET ${of.column} = ${value}` })),
      );
      const gone = its.slice(0, 1).map((of) => `DELETE FROM ${table} ${where(of, 'DESC')}`);
      const rows = [ghostOf(its), ...gone, `DELETE FROM ${table}`].map((sql) => ({ table, column: null, sql }));
      return [table, [...changed, ...rows]];
    }),
  );
