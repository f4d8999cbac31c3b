import { randomInt } from 'node:crypto';
import { closeSync, fsyncSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';
import { openReadOnly } from '../../sql/open-read-only.ts';
import { SqliteStatements } from '../../sql/sqlite-statements.ts';
import { MatchSettingsData, USUAL_MATCH_SETTINGS, type MatchSettings } from '../../domain/match-settings.ts';
import { parseNatively } from '../../domain/parse-json.ts';
import { PROJECTION_VERSION } from '../projection-version.ts';
import { generationStatements } from '../statements/generation-statements.ts';
import { createIndexes, createTables, SCHEMA } from './schema.ts';

/** What a generation was made by and for: one that differs from what is wanted is rebuilt. */
export type GenerationMark = {
  /** Version of the tables and of the projections. */
  readonly projections: string;
  readonly timeZone: string;
  /** JSON of the settings of the match. */
  readonly matchSettings: string;
};

/** A reader's cache is empty after each commit of another connection. */
const CACHE_KIB = 32_768;
/** A build writes at the ends of its tables, and sorts what its indexes are made of. */
const BUILD_CACHE_KIB = 8_192;
/** What the largest batch changes, and somewhat more: with twice as much, as many pages are read and written. */
const RUNNER_CACHE_KIB = 16_384;
/** For reading once from end to end. */
const SNAPSHOT_CACHE_KIB = 8_192;
const BUSY_MS = 5_000;

/** Batches that follow each other write the same pages again and again; more pages than these save next to nothing. */
const PAGES_BETWEEN_CHECKPOINTS = 4_000;

/** Bytes that the journal keeps when it begins anew: several times what it has between checkpoints. */
const JOURNAL_KEPT = 67_108_864;

/** Equal settings are equal texts. */
const settingsText = ({ tolerances, dateToleranceDays, offRampFiat }: MatchSettings): string =>
  JSON.stringify({
    tolerances: Object.fromEntries(Object.entries(tolerances).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    dateToleranceDays,
    offRampFiat,
  });

/** The settings of a mark; the usual where they can't be read, since then they are another version's. */
export const settingsOf = ({ matchSettings }: GenerationMark): MatchSettings => {
  const settings = parseNatively(matchSettings);
  return MatchSettingsData.is(settings) ? settings : USUAL_MATCH_SETTINGS;
};

/** The mark that today's program makes. */
export const markFor = (timeZone: string, settings: MatchSettings = USUAL_MATCH_SETTINGS): GenerationMark => ({
  projections: `${SCHEMA}.${PROJECTION_VERSION}`,
  timeZone,
  matchSettings: settingsText(settings),
});

/** The mark of a generation; null where it was never completed, or is none. */
export const markOf = (database: Database.Database): GenerationMark | null => {
  try {
    const row = new SqliteStatements(database).get(generationStatements.mark, {});
    return row === undefined
      ? null
      : { projections: row.projections, timeZone: row.time_zone, matchSettings: row.match_settings };
  } catch {
    // Not even the table is there.
    return null;
  }
};

/** The mark of a generation that this version can read; null of any other. */
export const readableMarkOf = (database: Database.Database): GenerationMark | null => {
  const mark = markOf(database);
  // Another version of the projections may have other tables; the zone is only what reports say theirs is.
  return mark !== null && mark.projections === markFor('').projections ? mark : null;
};

/** Stamps are whole numbers from 1 on, as SQLite keeps a `user_version`. */
const STAMPS = 2 ** 31;

/**
 * What tells a generation from every other, whatever its number and its file's name: drawn when it is made, and kept beside
 * its tables, which come out the same from the same log. 0: nobody has stamped it.
 */
export const stampOf = (database: Database.Database): number =>
  Number(database.pragma('user_version', { simple: true }));

/** A connection that was made ready; none is left open where that fails. */
const madeReady = (database: Database.Database, prepare: () => void, cacheKib = CACHE_KIB): Database.Database => {
  try {
    database.pragma(`cache_size = -${cacheKib}`);
    prepare();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};

/**
 * Opens a new generation for a bulk load. Nothing of it is durable before `completeGeneration`, and nobody reads it:
 * a build that is killed leaves a file that is removed by the next one.
 */
export const openForBuild = (
  file: string,
  { projections, timeZone, matchSettings }: GenerationMark,
): Database.Database => {
  const database = new Database(file);
  return madeReady(
    database,
    () => {
      // Smaller than the system's pages it makes no sense, and larger more is written for each row that changes.
      database.pragma('page_size = 4096');
      database.pragma('journal_mode = OFF');
      database.pragma('synchronous = OFF');
      database.pragma('locking_mode = EXCLUSIVE');
      database.pragma(`user_version = ${randomInt(1, STAMPS)}`);
      createTables(database);
      new SqliteStatements(database).run(generationStatements.insert, {
        projections,
        time_zone: timeZone,
        match_settings: matchSettings,
      });
    },
    BUILD_CACHE_KIB,
  );
};

/** Makes the indexes of what was loaded, marks it complete, and makes the file durable. The connection is closed then. */
export const completeGeneration = (database: Database.Database, file: string): void => {
  createIndexes(database);
  new SqliteStatements(database).run(generationStatements.complete, {});
  database.pragma('locking_mode = NORMAL');
  database.pragma('journal_mode = WAL');
  database.close();
  const descriptor = openSync(file, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

/** Opens a generation for its runner. A crash may take its last batches with it, and their checkpoint too: they come again. */
export const openForWriting = (file: string): Database.Database => {
  const database = new Database(file, { fileMustExist: true, timeout: BUSY_MS });
  const prepare = (): void => {
    database.pragma('synchronous = NORMAL');
    database.pragma(`wal_autocheckpoint = ${PAGES_BETWEEN_CHECKPOINTS}`);
    // What a long reader made of the journal is given back to the disk once it is gone.
    database.pragma(`journal_size_limit = ${JOURNAL_KEPT}`);
  };
  return madeReady(database, prepare, RUNNER_CACHE_KIB);
};

/** Opens a generation for queries beside its runner. */
export const openForQueries = (file: string): Database.Database =>
  madeReady(openReadOnly(file, BUSY_MS), () => undefined);

const beginReading = (database: Database.Database): void => {
  database.exec('BEGIN');
  // The transaction begins with what is read first.
  new SqliteStatements(database).get(generationStatements.checkpoint, {});
};

/** The stamp of the generation that is under a name now. Throws where none can be opened there. */
export const stampUnder = (file: string): number => {
  const database = openForQueries(file);
  try {
    return stampOf(database);
  } finally {
    database.close();
  }
};

/** Opens a generation as it is now: a read transaction stays open, and what is committed later is not seen. */
export const openAsItIs = (file: string): Database.Database => {
  const database = openReadOnly(file, BUSY_MS);
  return madeReady(database, () => beginReading(database), SNAPSHOT_CACHE_KIB);
};

/** What `openAsItIs` gave is from now on as the generation is now. */
export const readAnew = (database: Database.Database): void => {
  database.exec('COMMIT');
  beginReading(database);
};
