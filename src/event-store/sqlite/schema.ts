import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import * as E from 'fp-ts/lib/Either.js';
import { areDescriptorsUsedUp, MORE_DESCRIPTORS } from '../../files/used-up-descriptors.ts';
import { openError, type OpenError } from './open-error.ts';
import { isDamage, sqliteCode } from '../sqlite-code.ts';
import { indexAllNames, STREAM_TABLES } from './stream-tables.ts';

/** Marks a file as this ledger's ("RLEG"), so that another program's database is never written to. */
const APPLICATION_ID = 0x524c4547;
const SCHEMA_VERSION = 3;
/** Had streams in a B-tree by name, of which each new order touched another page. */
const STREAMS_BY_NAME = 1;
/** Had the names of members in each delivery's metadata. They are read as they are; earlier programs can't read it without. */
const NAMED_METADATA = 2;

/** Files up to this size are read through at the start; a larger one would hold the start up, and has `verify`. */
const LARGEST_CHECKED_AT_START = 512 * 1024 * 1024;

const EVENTS_BY_STREAM = 'CREATE UNIQUE INDEX events_by_stream ON events (stream, revision);';

const TRIGGERS = [
  "CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are immutable'); END;",
  "CREATE TRIGGER events_are_never_deleted BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are immutable'); END;",
] as const;

/**
 * Positions are rowids and stream ids are integers, both handed out in growing order, so that events, their index and
 * streams grow at the end. An event carries its stream's name as well, so that the log is read without a join.
 */
const TABLES = `
  ${STREAM_TABLES}
  CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    stream INTEGER NOT NULL,
    stream_name TEXT NOT NULL,
    revision INTEGER NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    recorded_at INTEGER NOT NULL,
    data TEXT NOT NULL,
    metadata TEXT NOT NULL,
    raw_body BLOB
  ) STRICT;
  ${EVENTS_BY_STREAM}
  CREATE TABLE probe (id INTEGER PRIMARY KEY, filler BLOB) STRICT;
  ${TRIGGERS.join(' ')}
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

const numberOf = (database: Database.Database, pragma: string): number =>
  Number(database.pragma(pragma, { simple: true }));

const isEmpty = (database: Database.Database): boolean =>
  database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;

/** Makes sure that a file is this ledger's, of a schema that is known. */
export const checkSchema = (database: Database.Database, file: string): E.Either<OpenError, void> => {
  const version = numberOf(database, 'user_version');
  if (isEmpty(database)) {
    return E.left(
      openError('StoreDamaged', `${file} is empty: it has neither events nor the tables for them`, 'restore a backup'),
    );
  }
  if (numberOf(database, 'application_id') !== APPLICATION_ID) {
    return E.left(
      openError('StoreNotALedger', `${file} is a database of another program`, 'set EVENT_STORE_URL to another file'),
    );
  }
  return version <= SCHEMA_VERSION
    ? E.right(undefined)
    : E.left(
        openError(
          'StoreOfNewerSchema',
          `${file} has schema ${version}, this program knows up to ${SCHEMA_VERSION}`,
          'start the newer ramp-ledger that wrote it',
        ),
      );
};

/** Reads a file through and makes sure that its pages fit together; one that is larger than so many bytes is left alone. */
export const checkWhole = (
  database: Database.Database,
  file: string,
  largest: number = LARGEST_CHECKED_AT_START,
): E.Either<OpenError, void> => {
  const { size } = statSync(file);
  // SQLite fills up with zeros what is missing of the last page, and finds nothing wrong with it.
  if (size % Number(database.pragma('page_size', { simple: true })) !== 0)
    return E.left(damaged(file, 'it was cut off within a page'));
  if (size > largest) return E.right(undefined);
  const found = String(database.pragma('quick_check(1)', { simple: true }));
  return found === 'ok' ? E.right(undefined) : E.left(damaged(file, found));
};

type SchemaRow = {
  readonly type: string;
  readonly name: string;
  readonly table_name: string;
  readonly sql: string | null;
};

const EVERYTHING = 'SELECT type, name, lower(tbl_name) AS table_name, sql FROM sqlite_schema';

/** Of schema 1. */
const OLD_STREAMS = 'CREATE TABLE streams (name TEXT NOT NULL PRIMARY KEY, id INTEGER NOT NULL) STRICT, WITHOUT ROWID';

/** The text of a statement, however its lines are laid out. */
const withoutLayout = (sql: string): string =>
  sql
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([(),]) ?/g, '$1')
    .trim();

/** What the ledger itself has made in files of any schema: tables and indexes as SQLite keeps their texts. */
const ownSchema = (): { readonly tables: ReadonlySet<string>; readonly texts: ReadonlySet<string> } => {
  const made = new Database(':memory:');
  try {
    made.exec(TABLES);
    const rows = made.prepare<[], SchemaRow>(EVERYTHING).all();
    const texts = [...rows.map(({ sql }) => sql ?? ''), OLD_STREAMS].map(withoutLayout);
    return { tables: new Set(rows.map(({ table_name: name }) => name)), texts: new Set(texts) };
  } finally {
    made.close();
  }
};

/**
 * Makes sure that nothing in a file acts by itself but what the ledger has put there: a trigger could change what is
 * appended, a view stand in the place of the events, and a table that ignores rows by a rule of its own, or puts them in the
 * place of others, would lose deliveries that were answered.
 */
export const checkInert = (database: Database.Database, file: string): E.Either<OpenError, void> => {
  const own = ownSchema();
  const isOwn = ({ type, table_name: table, sql }: SchemaRow): boolean =>
    ['trigger', 'view'].includes(type) || own.tables.has(table)
      ? sql === null || own.texts.has(withoutLayout(sql))
      : true;
  const foreign = database
    .prepare<[], SchemaRow>(EVERYTHING)
    .all()
    .find((row) => !isOwn(row));
  if (foreign === undefined) return E.right(undefined);
  const what = ['trigger', 'view'].includes(foreign.type) ? 'a trigger or a view' : 'a table or an index';
  return E.left(
    openError(
      'StoreNotALedger',
      `${file} has ${foreign.name} in it, ${what} that is none of the ledger's`,
      'take another backup',
    ),
  );
};

/** A file that can't be read as what it was. */
export const damaged = (file: string, found: string): OpenError =>
  openError(
    'StoreDamaged',
    `${file} is damaged (${found.replaceAll(/\s+/g, ' ')})`,
    `keep a copy of it, and restore it from a backup or recover it with "sqlite3 ${file} .recover"`,
  );

/** Makes the tables of a copy of a log, which gets the index of its events when it is filled. */
export const makeCopyTables = (database: Database.Database): void => {
  database.exec(`${TABLES} DROP INDEX events_by_stream;`);
};

/** The index that `makeCopyTables` leaves out. */
export const indexCopy = (database: Database.Database): void => {
  database.exec(EVENTS_BY_STREAM);
};

/** Whether a file of this ledger has to be taken over before streams in it are found by name. */
export const hasStreamsByName = (database: Database.Database): boolean =>
  numberOf(database, 'user_version') === STREAMS_BY_NAME;

/** Brings a file of an older schema to this one, in one transaction: some seconds for a million streams of the oldest. */
const takeOver = (database: Database.Database): void => {
  if (numberOf(database, 'user_version') === NAMED_METADATA) database.pragma(`user_version = ${SCHEMA_VERSION}`);
  if (!hasStreamsByName(database)) return;
  database.transaction(() => {
    database.exec(`
      ALTER TABLE streams RENAME TO streams_by_name;
      ${STREAM_TABLES}
      INSERT INTO streams (id, name) SELECT id, name FROM streams_by_name ORDER BY id;
      DROP TABLE streams_by_name;
    `);
    indexAllNames(database);
    database.pragma(`user_version = ${SCHEMA_VERSION}`);
  })();
};

/**
 * Makes the tables of an empty file, or makes sure that the file is a whole one of this ledger, of a schema that is
 * known, and takes it over where that is an older one.
 */
export const prepareSchema = (database: Database.Database, file: string): E.Either<OpenError, void> => {
  try {
    if (isEmpty(database)) {
      database.exec(`BEGIN EXCLUSIVE; ${TABLES} COMMIT;`);
      return E.right(undefined);
    }
    const whole = E.flatMap(() => checkWhole(database, file))(checkSchema(database, file));
    if (E.isRight(whole)) takeOver(database);
    return whole;
  } catch (error) {
    return E.left(openFailure(error, file));
  }
};

/** What an error while opening means to an operator. */
export const openFailure = (error: unknown, file: string): OpenError => {
  const code = sqliteCode(error);
  const message = error instanceof Error ? error.message : String(error);
  if (isDamage(error)) return damaged(file, message);
  if (code === 'SQLITE_FULL') return openError('StoreUnusable', `${file} can't be written (${message})`, 'make room');
  if (areDescriptorsUsedUp())
    return openError('StoreUnusable', `${file} can't be opened: too many files are open`, MORE_DESCRIPTORS);
  return openError(
    /^SQLITE_(?:CANTOPEN|READONLY|PERM|AUTH)/.test(code) ? 'StoreMisplaced' : 'StoreUnusable',
    `${file} can't be opened (${message})`,
    'see that the file and its folder can be written',
  );
};
