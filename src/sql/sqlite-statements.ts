import type Database from 'better-sqlite3';
import type { SqlValue, Statement } from './statement.ts';

type Values = Readonly<Record<string, SqlValue>>;

/** Runs statements on one connection to SQLite, each prepared at its first use. Every method throws SQLite's error. */
export class SqliteStatements {
  readonly #database: Database.Database;
  readonly #prepared = new Map<Statement<unknown, unknown>, Database.Statement<[Values]>>();

  constructor(database: Database.Database) {
    this.#database = database;
  }

  /** Runs a statement; answers how many rows it changed. */
  run<P>(statement: Statement<P, unknown>, values: P & Values): number {
    return this.#of(statement).run(values).changes;
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
