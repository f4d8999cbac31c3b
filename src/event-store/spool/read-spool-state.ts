import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import * as E from 'fp-ts/lib/Either.js';
import { branded } from '../../domain/brand.ts';
import type { Instant } from '../../domain/instant.ts';
import type { SpoolContents } from '../spool.ts';
import { entryBytes } from './entry-bytes.ts';
import { setAsideIn } from './set-aside-in.ts';
import { spoolOpenFailure, type SpoolOpenError } from './spool-open-error.ts';
import { checkSpoolSchema, isEmptySpool } from './spool-schema.ts';

const WAIT_MS = 1_000;

const EMPTY: SpoolContents = { depth: 0, bytes: 0, oldestReceivedAt: null, setAside: [] };

type Sums = { readonly deliveries: number; readonly body_bytes: number };

const OLDEST = 'SELECT received_at FROM deliveries WHERE seq NOT IN (SELECT seq FROM set_aside) ORDER BY seq LIMIT 1';

const contentsOf = (database: Database.Database): SpoolContents => {
  const setAside = setAsideIn(database);
  const { deliveries, body_bytes: bodyBytes } = database
    .prepare<[], Sums>('SELECT count(*) AS deliveries, coalesce(sum(length(body)), 0) AS body_bytes FROM deliveries')
    .get() ?? { deliveries: 0, body_bytes: 0 };
  const oldest = database.prepare<[], string>(OLDEST).pluck().get();
  return {
    depth: deliveries - setAside.length,
    bytes: bodyBytes + deliveries * entryBytes(0),
    oldestReceivedAt: oldest === undefined ? null : branded<Instant>(oldest),
    setAside,
  };
};

const read = (database: Database.Database, file: string): E.Either<SpoolOpenError, SpoolContents> =>
  isEmptySpool(database) ? E.right(EMPTY) : E.map(() => contentsOf(database))(checkSpoolSchema(database, file));

/** What is in the spool of a ledger that serves, or of one that doesn't, as of one moment; null where there is no such file. It changes nothing. */
export const readSpoolState = (file: string): E.Either<SpoolOpenError, SpoolContents | null> => {
  if (!existsSync(file)) return E.right(null);
  let database: Database.Database | null = null;
  try {
    const opened = new Database(file, { readonly: true, fileMustExist: true, timeout: WAIT_MS });
    database = opened;
    return opened.transaction(() => read(opened, file))();
  } catch (error) {
    return E.left(spoolOpenFailure(error, file));
  } finally {
    database?.close();
  }
};
