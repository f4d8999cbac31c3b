import type Database from 'better-sqlite3';
import { byPlaces, type Insertion, type SqlValue, type Statement } from './statement.ts';

type Values = Readonly<Record<string, SqlValue>>;

/** Rows of one statement at the most: a statement of twice as many takes hardly less for each. */
const MOST_ROWS = 32;

/** A command of so many parameters is given them by their places: each that goes by its name takes two questions more. */
const MANY_PARAMETERS = 4;

/** Runs a command; answers how many rows it changed. */
type Running = (values: Values) => number;

const valueIn = (values: Values, name: string): SqlValue => {
  const value = values[name];
  if (value === undefined) throw new Error(`no value for ${name}`);
  return value;
};

/** Runs statements on one connection to SQLite, each prepared at its first use. Every method throws SQLite's error. */
export class SqliteStatements {
  readonly #database: Database.Database;
  readonly #prepared = new Map<Statement<unknown, unknown>, Database.Statement<[Values]>>();
  readonly #commands = new Map<Statement<unknown, unknown>, Running>();
  /** By how many rows they put. */
  readonly #insertions = new Map<Insertion<readonly SqlValue[]>, Map<number, Database.Statement<[SqlValue[]]>>>();

  constructor(database: Database.Database) {
    this.#database = database;
  }

  /** Runs a statement; answers how many rows it changed. */
  run<P>(statement: Statement<P, unknown>, values: P & Values): number {
    return this.#running(statement)(values);
  }

  /** Puts rows, in their order: as many at a time as there are statements for, which are of powers of two. */
  put<Row extends readonly SqlValue[]>(insertion: Insertion<Row>, rows: readonly Row[]): void {
    for (let at = 0; at < rows.length;) {
      const count = Math.min(MOST_ROWS, 2 ** (31 - Math.clz32(rows.length - at)));
      const values: SqlValue[] = [];
      for (const row of rows.slice(at, at + count)) values.push(...row);
      this.#putting(insertion, count).run(values);
      at += count;
    }
  }

  /** Puts a row of a table that numbers its rows, where none conflicts with it; answers its number. RETURNING takes as long as the row. */
  putNumbered<Row extends readonly SqlValue[]>(insertion: Insertion<Row>, row: Row): number {
    return Number(this.#putting(insertion, 1).run([...row]).lastInsertRowid);
  }

  /** The first row; undefined where there is none. */
  get<P, R>(statement: Statement<P, R>, values: P & Values): R | undefined {
    const row = this.#of(statement).get(values);
    return row === undefined ? undefined : read(statement, row);
  }

  /** The first row of a statement that always answers one. */
  one<P, R>(statement: Statement<P, R>, values: P & Values): R {
    return read(statement, this.#of(statement).get(values));
  }

  all<P, R>(statement: Statement<P, R>, values: P & Values): readonly R[] {
    return this.#of(statement)
      .all(values)
      .map((row) => read(statement, row));
  }

  /** Row by row; the connection can do nothing else meanwhile. */
  *iterate<P, R>(statement: Statement<P, R>, values: P & Values): Generator<R, void> {
    for (const row of this.#of(statement).iterate(values)) yield read(statement, row);
  }

  #putting(insertion: Insertion<readonly SqlValue[]>, rows: number) {
    const { table, columns, values, conflicts } = insertion;
    const known = this.#insertions.get(insertion) ?? new Map<number, Database.Statement<[SqlValue[]]>>();
    this.#insertions.set(insertion, known);
    const prepared = known.get(rows);
    if (prepared !== undefined) return prepared;
    const all = Array.from({ length: rows }, () => values).join(', ');
    const text = `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${all} ${conflicts}`;
    const made = this.#database.prepare<[SqlValue[]]>(text);
    known.set(rows, made);
    return made;
  }

  #running<P>(statement: Statement<P, unknown>): Running {
    const known = this.#commands.get(statement);
    if (known !== undefined) return known;
    const { text, names } = byPlaces(statement.text);
    const placed = names.length < MANY_PARAMETERS ? null : this.#database.prepare<[SqlValue[]]>(text);
    const made: Running =
      placed === null
        ? (values) => this.#of(statement).run(values).changes
        : (values) => placed.run(names.map((name) => valueIn(values, name))).changes;
    this.#commands.set(statement, made);
    return made;
  }

  #of<P>(statement: Statement<P, unknown>): Database.Statement<[Values]> {
    const known = this.#prepared.get(statement);
    if (known !== undefined) return known;
    const made = this.#database.prepare<[Values]>(statement.text);
    this.#prepared.set(statement, made);
    return made;
  }
}

const read = <R>({ row, text }: Statement<unknown, R>, found: unknown): R => {
  if (row.is(found)) return found;
  throw new Error(`a row is not of the kind that was written: ${text}`);
};
