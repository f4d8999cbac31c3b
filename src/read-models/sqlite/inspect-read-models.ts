import { existsSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { openReadOnly } from '../../sql/open-read-only.ts';
import { SqliteStatements } from '../../sql/sqlite-statements.ts';
import type { ReadModelsSeen } from '../read-models-seen.ts';
import { markFor, markOf } from './generation.ts';
import { buildLockOf, generationFileOf, READ_MODELS_ID } from './generations.ts';
import { includedIn } from './included-event.ts';
import { QuarantineTable } from './quarantine-table.ts';

const WAIT_MS = 1_000;
/** What is read through in some tenths of a second; a larger one has `verify`. */
const LARGEST_CHECKED = 64 * 1024 * 1024;

const opened = <A>(file: string, waitMs: number, look: (database: Database.Database) => A): A => {
  const database = openReadOnly(file, waitMs);
  try {
    return look(database);
  } finally {
    database.close();
  }
};

const failed = (error: unknown, file: string, registry: boolean): ReadModelsSeen => {
  const found = (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ');
  const isDamage = error instanceof Database.SqliteError && /^SQLITE_(NOTADB|CORRUPT)/.test(error.code);
  // The index of a write-ahead log (`-shm`) grows for whoever reads too.
  const isNoRoom = error instanceof Database.SqliteError && /^SQLITE_(FULL|IOERR_SHM)/.test(error.code);
  if (isDamage) return { _tag: 'Damaged', file, registry, found };
  return { _tag: 'Unusable', file, found, ...(isNoRoom ? { noRoom: true } : {}) };
};

const isBuilding = (file: string): boolean => {
  const lock = buildLockOf(file);
  if (!existsSync(lock)) return false;
  try {
    opened(lock, 0, (database) => database.prepare('SELECT count(*) FROM sqlite_schema').get());
    return false;
  } catch (error) {
    return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
  }
};

/** The generation that serves, 0 for none yet; null where the file is another program's. */
const servingIn = (file: string): number | null =>
  opened(file, WAIT_MS, (database) => {
    const isEmpty = database.prepare<[], number>('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;
    if (isEmpty) return 0;
    if (Number(database.pragma('application_id', { simple: true })) !== READ_MODELS_ID) return null;
    return database.prepare<[], number>('SELECT generation FROM serving').pluck().get() ?? 0;
  });

const generationAt = (file: string, generation: number): ReadModelsSeen =>
  opened(file, WAIT_MS, (database): ReadModelsSeen => {
    if (statSync(file).size <= LARGEST_CHECKED) {
      const found = String(database.pragma('quick_check(1)', { simple: true }));
      if (found !== 'ok') return { _tag: 'Damaged', file, registry: false, found: found.replaceAll(/\s+/g, ' ') };
    }
    const [mark, wanted] = [markOf(database), markFor('').projections];
    if (mark?.projections !== wanted) {
      return { _tag: 'OfOtherVersion', generation, version: mark?.projections ?? 'unknown', wanted };
    }
    const checkpoint = includedIn(new SqliteStatements(database));
    const quarantined = new QuarantineTable(database).open();
    return { _tag: 'Serving', generation, timeZone: mark.timeZone, checkpoint, quarantined };
  });

/** Looks at the read models beside a ledger that serves or without one. It makes and changes nothing. */
export const inspectReadModels = (file: string): ReadModelsSeen => {
  if (!existsSync(file)) return { _tag: 'None', building: false };
  let of = file;
  let generation: number | null = null;
  try {
    generation = servingIn(file);
    if (generation === null) return { _tag: 'Foreign' };
    of = generationFileOf(file, generation);
    if (generation === 0 || !existsSync(of)) {
      // It was replaced, and removed, in between.
      return generation === servingIn(file) ? { _tag: 'None', building: isBuilding(file) } : inspectReadModels(file);
    }
    return generationAt(of, generation);
  } catch (error) {
    const isReplaced = generation !== null && !existsSync(of);
    return isReplaced ? inspectReadModels(file) : failed(error, of, of === file);
  }
};
