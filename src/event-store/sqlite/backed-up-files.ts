import {
  closeSync,
  openSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as E from 'fp-ts/lib/Either.js';
import { isSha256 } from '../../domain/ids.ts';
import { sha256 } from '../../domain/sha256.ts';
import { syncFolderOf } from '../durable-writes.ts';

/** In a backup only: files that are kept under their digests. */
const TABLE = 'CREATE TABLE IF NOT EXISTS bank_files (digest TEXT NOT NULL PRIMARY KEY, bytes BLOB NOT NULL) STRICT';

/** How many files a backup holds, and the names of those that were left out, for their bytes are not those of their digests. */
export type PackedFiles = { readonly bankFiles: number; readonly damaged: readonly string[] };

/** A file that is there and can't be read, and what reading it ended with. */
export type UnreadFile = { readonly path: string; readonly error: unknown };

const bytesOf = (path: string): E.Either<UnreadFile, Buffer> =>
  E.tryCatch(
    () => readFileSync(path),
    (error) => ({ path, error }),
  );

/**
 * Puts the files of a folder into a backup, one at a time in memory. They are copied after the events, so that no event lacks
 * its file.
 *
 * @throws what writing the backup ends with
 */
export const packBankFiles = (backup: string, folder: string): E.Either<UnreadFile, PackedFiles> => {
  const digests = existsSync(folder) ? readdirSync(folder).filter(isSha256).toSorted() : [];
  if (digests.length === 0) return E.right({ bankFiles: 0, damaged: [] });
  const damaged: string[] = [];
  const database = new Database(backup, { fileMustExist: true });
  try {
    database.exec(TABLE);
    const insert = database.prepare<[string, Buffer]>(
      'INSERT OR REPLACE INTO bank_files (digest, bytes) VALUES (?, ?)',
    );
    for (const digest of digests) {
      const bytes = bytesOf(join(folder, digest));
      if (E.isLeft(bytes)) return bytes;
      if (sha256(bytes.right) === digest) insert.run(digest, bytes.right);
      else damaged.push(digest);
    }
  } finally {
    database.close();
  }
  return E.right({ bankFiles: digests.length - damaged.length, damaged });
};

const isKept = (path: string, digest: string): boolean => existsSync(path) && sha256(readFileSync(path)) === digest;

const writeSynced = (path: string, bytes: Uint8Array): void => {
  const draft = `${path}.${process.pid}.draft`;
  const handle = openSync(draft, 'w', 0o600);
  try {
    writeFileSync(handle, bytes);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, path);
};

/**
 * Puts the files of a backup into a folder, each checked by its digest, and takes them out of the backup: it is to be an
 * event store. Files that the folder has already stay.
 *
 * @returns how many there were; Left: the first one that is damaged
 */
export const unpackBankFiles = (backup: string, folder: string): E.Either<string, number> => {
  const database = new Database(backup, { fileMustExist: true });
  try {
    const hasAny = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'bank_files'").get();
    if (hasAny === undefined) return E.right(0);
    let files = 0;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const rows = database.prepare<[], { digest: string; bytes: Buffer }>('SELECT digest, bytes FROM bank_files');
    for (const { digest, bytes } of rows.iterate()) {
      if (sha256(bytes) !== digest) return E.left(`the bank file ${digest} in it is damaged`);
      const path = join(folder, digest);
      if (!isKept(path, digest)) writeSynced(path, bytes);
      files += 1;
    }
    syncFolderOf(join(folder, 'any'));
    database.exec('DROP TABLE bank_files');
    return E.right(files);
  } finally {
    database.close();
  }
};
