import { statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import * as E from 'fp-ts/lib/Either.js';
import { spoolDamaged, spoolOpenError, spoolOpenFailure, type SpoolOpenError } from './spool-open-error.ts';

/** Marks a file as a spool of this ledger ("RLSP"), so that another program's database, or a log, is never written to. */
const APPLICATION_ID = 0x524c5350;
const SCHEMA_VERSION = 1;

/**
 * Files up to this size are read through when they are opened: a larger one would hold up the start. There whoever counts
 * comes by each page of the deliveries, and each body is held against its digest.
 */
const LARGEST_CHECKED = 32 * 1024 * 1024;

/**
 * Operators read these tables with sqlite3 (docs/operating.md, A delivery that was set aside). The body stands last, so
 * that the other columns are read without it. A delivery that was set aside stays where it is, and gets a row beside.
 */
const TABLES = `
  CREATE TABLE deliveries (
    seq INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    body_sha256 TEXT NOT NULL,
    signature TEXT NOT NULL,
    secret_id TEXT NOT NULL,
    received_at TEXT NOT NULL,
    request_id TEXT NOT NULL,
    body BLOB NOT NULL
  ) STRICT;
  CREATE TABLE set_aside (
    seq INTEGER PRIMARY KEY,
    problem TEXT NOT NULL,
    at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE probe (id INTEGER PRIMARY KEY, filler BLOB) STRICT;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

const numberOf = (database: Database.Database, pragma: string): number =>
  Number(database.pragma(pragma, { simple: true }));

/** Whether nothing was ever made in a file: it is new, or its making was cut off. */
export const isEmptySpool = (database: Database.Database): boolean =>
  database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0 &&
  numberOf(database, 'application_id') === 0;

/** Makes sure that a file is a spool of this ledger, of a schema that is known. */
export const checkSpoolSchema = (database: Database.Database, file: string): E.Either<SpoolOpenError, void> => {
  const version = numberOf(database, 'user_version');
  if (numberOf(database, 'application_id') !== APPLICATION_ID) {
    return E.left(
      spoolOpenError(
        'SpoolNotALedger',
        `${file} is a database of another program`,
        'move it away, or set DATA_DIR to another folder',
      ),
    );
  }
  return version <= SCHEMA_VERSION
    ? E.right(undefined)
    : E.left(
        spoolOpenError(
          'SpoolOfNewerSchema',
          `${file} has schema ${version}, this program knows up to ${SCHEMA_VERSION}`,
          'start the newer ramp-ledger that wrote it',
        ),
      );
};

const checkWhole = (database: Database.Database, file: string): E.Either<SpoolOpenError, void> => {
  if (statSync(file).size > LARGEST_CHECKED) return E.right(undefined);
  const found = String(database.pragma('quick_check(1)', { simple: true }));
  return found === 'ok' ? E.right(undefined) : E.left(spoolDamaged(file, found));
};

/** Makes the tables of an empty file, or makes sure that the file is a whole spool of this ledger, of a schema that is known. */
export const prepareSpoolSchema = (database: Database.Database, file: string): E.Either<SpoolOpenError, void> => {
  try {
    if (isEmptySpool(database)) {
      database.exec(`BEGIN EXCLUSIVE; ${TABLES} COMMIT;`);
      return E.right(undefined);
    }
    return E.flatMap(() => checkWhole(database, file))(checkSpoolSchema(database, file));
  } catch (error) {
    return E.left(spoolOpenFailure(error, file));
  }
};
