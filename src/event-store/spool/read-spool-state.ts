import { existsSync } from 'node:fs';
import type Database from 'better-sqlite3';
import * as E from 'fp-ts/lib/Either.js';
import { branded } from '../../domain/brand.ts';
import type { Instant } from '../../domain/instant.ts';
import { openReadOnly } from '../../sql/open-read-only.ts';
import { SqliteStatements } from '../../sql/sqlite-statements.ts';
import type { SpoolContents } from '../spool.ts';
import { entryBytes } from './entry-bytes.ts';
import { BEFORE_ALL } from './keeper-message.ts';
import { orphanLog } from '../orphan-log.ts';
import { leadsToNothing } from '../place-of-file.ts';
import { setAsideIn } from './set-aside-in.ts';
import { spoolElsewhere, spoolOpenFailure, spoolWithoutFile, type SpoolOpenError } from './spool-open-error.ts';
import { checkSpoolSchema, isEmptySpool } from './spool-schema.ts';
import { spoolStatements } from './spool-statements.ts';

const WAIT_MS = 1_000;

const EMPTY: SpoolContents = { depth: 0, bytes: 0, oldestReceivedAt: null, setAside: [] };

const contentsOf = (statements: SqliteStatements): SpoolContents => {
  const setAside = setAsideIn(statements);
  const { deliveries, body_bytes: bodyBytes } = statements.one(spoolStatements.sums, {});
  const oldest = statements.get(spoolStatements.firstAfter, { seq: BEFORE_ALL });
  return {
    depth: deliveries - setAside.length,
    bytes: bodyBytes + deliveries * entryBytes(0),
    oldestReceivedAt: oldest === undefined ? null : branded<Instant>(oldest.received_at),
    setAside,
  };
};

/**
 * Reads something of the spool of a ledger that serves, or of one that doesn't, as of one moment; null where there is no such
 * file. It changes nothing.
 *
 * @param empty what it is where nothing was ever made in the file
 */
export const readSpool = <A>(
  file: string,
  empty: A,
  read: (statements: SqliteStatements) => A,
): E.Either<SpoolOpenError, A | null> => {
  const orphan = orphanLog(file);
  if (orphan !== null) return E.left(spoolWithoutFile(file, orphan));
  if (!existsSync(file)) {
    const target = leadsToNothing(file);
    return target === null ? E.right(null) : E.left(spoolElsewhere(file, target));
  }
  let database: Database.Database | null = null;
  try {
    const opened = openReadOnly(file, WAIT_MS);
    database = opened;
    return opened.transaction(() =>
      isEmptySpool(opened)
        ? E.right(empty)
        : E.map(() => read(new SqliteStatements(opened)))(checkSpoolSchema(opened, file)),
    )();
  } catch (error) {
    return E.left(spoolOpenFailure(error, file));
  } finally {
    database?.close();
  }
};

/** What is in a spool, all of it read for that; null where there is no such file. */
export const readSpoolState = (file: string): E.Either<SpoolOpenError, SpoolContents | null> =>
  readSpool(file, EMPTY, contentsOf);
