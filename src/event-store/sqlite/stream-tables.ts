import type Database from 'better-sqlite3';
import { ORDER_STREAM } from '../../domain/ids.ts';
import { shortDigest } from '../../domain/short-digest.ts';

const BESIDE_ORDERS = `substr(name, 1, ${ORDER_STREAM.length}) <> '${ORDER_STREAM}'`;

/**
 * Streams, in the order of their numbers, which is that of their beginnings, and an index of their names by digest. The
 * writer adds to that index late and many at once; up to which stream it is complete stands beside it
 * (docs/decisions/0016-a-log-that-writes-little.md). Streams that are no order's are few, and have an index of their own.
 */
export const STREAM_TABLES = `
  CREATE TABLE streams (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL
  ) STRICT;
  CREATE INDEX streams_beside_orders ON streams (name) WHERE ${BESIDE_ORDERS};
  CREATE TABLE stream_names (
    digest INTEGER NOT NULL,
    stream INTEGER NOT NULL,
    PRIMARY KEY (digest, stream)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE names_complete (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    up_to INTEGER NOT NULL
  ) STRICT;
  INSERT INTO names_complete (id, up_to) VALUES (1, 0);
`;

/** Indexes the names of all streams, each of which is not indexed yet. */
export const indexAllNames = (database: Database.Database): void => {
  database.function('short_digest', { deterministic: true }, (name: unknown) => shortDigest(String(name)));
  database.exec(`
    INSERT INTO stream_names (digest, stream) SELECT short_digest(name), id FROM streams ORDER BY 1;
    UPDATE names_complete SET up_to = (SELECT coalesce(max(id), 0) FROM streams);
  `);
};

/** A stream with its number. */
export type NumberedStream = { readonly id: number; readonly name: string };

/** Streams that began behind one. */
export const streamsBehind = (database: Database.Database): Database.Statement<[number], NumberedStream> =>
  database.prepare('SELECT id, name FROM streams WHERE id > ? ORDER BY id');

/** Up to which stream the index of names is complete. */
export const namesComplete = (database: Database.Database): Database.Statement<[], number> =>
  database.prepare<[], number>('SELECT up_to FROM names_complete').pluck();

/**
 * The number of a stream that is indexed, by the digest of its name and the name. As a join, SQLite (which is built with
 * STAT4) would compile it anew for each name, at five times the cost.
 */
export const indexedStream = (database: Database.Database): Database.Statement<[number, string], number> =>
  database
    .prepare<[number, string], number>(
      'SELECT stream FROM stream_names WHERE digest = ? AND (SELECT name FROM streams WHERE id = stream) = ?',
    )
    .pluck();

// Names are compared byte by byte, and no byte of UTF-8 is FF: this is above every name that begins so, and below all others behind.
const BEGINNING = "SELECT name FROM streams WHERE name >= ? AND name < ? || CAST(x'FF' AS TEXT)";

/** Names that begin with a text, given twice, of streams that are no order's. */
export const namesBesideOrders = (database: Database.Database): Database.Statement<[string, string], string> =>
  database.prepare<[string, string], string>(`${BEGINNING} AND ${BESIDE_ORDERS}`).pluck();

/** Names that begin with a text, given twice, of all streams, each of which is looked at. */
export const namesOfAll = (database: Database.Database): Database.Statement<[string, string], string> =>
  database.prepare<[string, string], string>(BEGINNING).pluck();
