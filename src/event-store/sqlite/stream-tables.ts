import type Database from 'better-sqlite3';
import * as t from 'io-ts';
import { ORDER_STREAM } from '../../domain/ids.ts';
import { shortDigest } from '../../domain/short-digest.ts';
import { command, insertion, nullable, query } from '../../sql/statement.ts';

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

/** Indexes the names of all streams, none of which is indexed yet. */
export const indexAllNames = (database: Database.Database): void => {
  database.function('short_digest', { deterministic: true }, (name: unknown) => shortDigest(String(name)));
  database.exec(`
    INSERT INTO stream_names (digest, stream) SELECT short_digest(name), id FROM streams ORDER BY 1;
    UPDATE names_complete SET up_to = (SELECT coalesce(max(id), 0) FROM streams);
  `);
};

const stream = { id: t.number, name: t.string };
const prefix = { prefix: t.string };

// Names are compared byte by byte, and no byte of UTF-8 is FF: the end is above every name that begins so, and below all others behind.
const BEGINNING = "SELECT name FROM streams WHERE name >= :prefix AND name < :prefix || CAST(x'FF' AS TEXT)";

/** How streams are written. */
export const newStreams = insertion<readonly [id: number, name: string]>('streams', ['id', 'name']);

/** How names are indexed. One that waited when the file was last closed may be indexed already. */
export const indexedNames = insertion<readonly [digest: number, stream: number]>('stream_names', ['digest', 'stream'], {
  conflicts: 'ON CONFLICT DO NOTHING',
});

/** Streams by number and by name. */
export const streamStatements = {
  behind: query('SELECT id, name FROM streams WHERE id > :id ORDER BY id', { id: t.number }, t.type(stream)),
  // As a join, SQLite (which is built with STAT4) would compile it anew for each name, at five times the cost.
  indexed: query(
    `SELECT stream AS id FROM stream_names
       WHERE digest = :digest AND (SELECT name FROM streams WHERE id = stream) = :name`,
    { digest: t.number, name: t.string },
    t.type({ id: t.number }),
  ),
  /** Those of some digests, a JSON list, in the order of their numbers: half of what a statement for each takes. */
  indexedAll: query(
    `SELECT stream AS id, (SELECT name FROM streams WHERE id = stream) AS name
       FROM json_each(:digests) AS wanted CROSS JOIN stream_names ON digest = wanted.value ORDER BY stream`,
    { digests: t.string },
    t.type({ id: t.number, name: nullable(t.string) }),
  ),
  complete: query('SELECT up_to FROM names_complete', {}, t.type({ up_to: t.number })),
  setComplete: command('UPDATE names_complete SET up_to = :up_to', { up_to: t.number }),
  besideOrders: query(`${BEGINNING} AND ${BESIDE_ORDERS}`, prefix, t.type({ name: t.string })),
  /** Looks at each stream. */
  all: query(BEGINNING, prefix, t.type({ name: t.string })),
};
