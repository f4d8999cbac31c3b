import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import Database from 'better-sqlite3';
import * as E from 'fp-ts/lib/Either.js';
import { areDescriptorsUsedUp, MORE_DESCRIPTORS } from '../../files/used-up-descriptors.ts';
import { heldIn, noteHeld, type LedgerName } from './ledger-names.ts';
import { hasNoRoom } from './no-room.ts';

/**
 * Why the read models' file can't be used; the detail says what to do. `GenerationsForeign` is a wrong setting, and so may be
 * `GenerationsMisplaced`: nothing can be opened at the place that is named, now at least.
 */
export type GenerationsError = {
  readonly _tag: 'GenerationsUnusable' | 'GenerationsForeign' | 'GenerationsMisplaced';
  readonly detail: string;
};

/** "RLRM": marks the file as the read models' of this ledger. */
export const READ_MODELS_ID = 0x524c524d;
const BUSY_MS = 10_000;

/** What SQLite puts beside a file, and the file itself last: a removal that is cut off is finished by the next one. */
const SUFFIXES = ['-wal', '-shm', '-journal', ''] as const;
const OF_A_GENERATION = /^(\d+)(?:-wal|-shm|-journal)?$/;

const TABLE = `
  CREATE TABLE serving (id INTEGER PRIMARY KEY CHECK (id = 1), generation INTEGER NOT NULL) STRICT;
  INSERT INTO serving VALUES (1, 0);
  PRAGMA application_id = ${READ_MODELS_ID};
`;

/** Where not even the folder is there, the package itself says so, as of a wrong argument. */
const isMisplaced = (error: unknown): boolean =>
  error instanceof TypeError ||
  (error instanceof Database.SqliteError && /^SQLITE_(?:CANTOPEN|READONLY|PERM|AUTH)/.test(error.code));

const failure = (error: unknown, file: string): GenerationsError => {
  const message = error instanceof Error ? error.message : String(error);
  if (areDescriptorsUsedUp())
    return {
      _tag: 'GenerationsUnusable',
      detail: `${file} can't be opened: too many files are open; ${MORE_DESCRIPTORS}`,
    };
  return isMisplaced(error)
    ? {
        _tag: 'GenerationsMisplaced',
        detail: `${file} can't be opened (${message}); see that it is a file that this user can read and write, or take it away: the read models are rebuilt from the log; or name another one, in a folder that is there`,
      }
    : {
        _tag: 'GenerationsUnusable',
        detail: hasNoRoom(error)
          ? `${file} can't be used (${message}); there is no room on its disk: make room`
          : `${file} can't be used (${message}); see that it can be written, or remove it: the read models are rebuilt from the log`,
      };
};

/** Where a generation is, given the file that says which one serves. */
export const generationFileOf = (file: string, generation: number): string => `${file}.g${generation}`;

/** What is locked while a generation is built. */
export const buildLockOf = (file: string): string => `${file}.build-lock`;

/** The open file that says which generation serves, and which file it is. */
type Registry = {
  readonly inode: number | null;
  readonly database: Database.Database;
  readonly serving: Database.Statement<[], number>;
  readonly swap: Database.Statement<[number, number]>;
  readonly serveNone: Database.Statement<[]>;
};

const inodeOf = (file: string): number | null => statSync(file, { throwIfNoEntry: false })?.ino ?? null;

const registryOf = (file: string, database: Database.Database): Registry => ({
  inode: inodeOf(file),
  database,
  serving: database.prepare<[], number>('SELECT generation FROM serving').pluck(),
  swap: database.prepare('UPDATE serving SET generation = ? WHERE generation = ?'),
  serveNone: database.prepare('UPDATE serving SET generation = 0'),
});

const openRegistry = (file: string): E.Either<GenerationsError, Registry> => {
  let database: Database.Database | null = null;
  try {
    const opened = new Database(file, { timeout: BUSY_MS });
    database = opened;
    opened.pragma('synchronous = FULL');
    const prepared = opened
      .transaction(() => {
        const tables = opened.prepare<[], number>('SELECT count(*) FROM sqlite_schema').pluck().get() ?? 0;
        if (tables === 0) opened.exec(TABLE);
        return Number(opened.pragma('application_id', { simple: true })) === READ_MODELS_ID;
      })
      .immediate();
    if (prepared) return E.right(registryOf(file, opened));
    opened.close();
    const detail = `${file} is a database of another program; set READ_MODEL_URL to another file`;
    return E.left({ _tag: 'GenerationsForeign', detail });
  } catch (error) {
    database?.close();
    return E.left(failure(error, file));
  }
};

/**
 * Which generation of the read models serves. Each is a file of its own beside this one, so that a new one is built
 * without a reader noticing, and taking it into use is one small transaction here. What is under the file's name counts,
 * whoever put it there: SQLite would go on in one that was removed, where nobody else looks.
 */
export class Generations {
  readonly #file: string;
  #open: Registry;
  /** Why what is under the name may be another ledger's, so that nothing is opened or made there any more; null: it is not. */
  readonly lost: () => string | null;

  private constructor(file: string, open: Registry, lost: () => string | null) {
    this.#file = file;
    this.#open = open;
    this.lost = lost;
  }

  /** @param lost of a ledger that serves: why it has its data directory no longer; null where it has */
  static open(file: string, lost: () => string | null = () => null): E.Either<GenerationsError, Generations> {
    const detail = lost();
    return detail === null
      ? E.map((open: Registry) => new Generations(file, open, lost))(openRegistry(file))
      : E.left({ _tag: 'GenerationsMisplaced', detail });
  }

  /** The generation that serves; 0 before the first. */
  serving(): number {
    return this.#registry().serving.get() ?? 0;
  }

  fileOf(generation: number): string {
    return generationFileOf(this.#file, generation);
  }

  /**
   * Takes a generation into use in place of another; false where that one serves no longer.
   *
   * @param name whose log it was made from, for `heldFor`; null where that is not known
   */
  swap(from: number, to: number, name: LedgerName | null = null): boolean {
    const { database, swap } = this.#registry();
    return database
      .transaction(() => {
        if (swap.run(to, from).changes !== 1) return false;
        noteHeld(database, to, name);
        return true;
      })
      .immediate();
  }

  /** Whose log the generation that serves is of, as far as was noted; null where that is not known. */
  heldFor(): LedgerName | null {
    return heldIn(this.#registry().database);
  }

  /** Notes whose log a generation is of: to be called before events of it go in. Throws where the file can't be used. */
  hold(generation: number, name: LedgerName | null): void {
    const { database } = this.#registry();
    database.transaction(() => noteHeld(database, generation, name)).immediate();
  }

  /** Lets none serve, so that the next start or question builds one from the log: for a log that is another one now. */
  serveNone(): void {
    this.#registry().serveNone.run();
  }

  /** A number that no generation has, in use or left behind. */
  next(): number {
    return Math.max(this.serving(), ...this.#there()) + 1;
  }

  /** Removes every generation but the serving one: what was replaced, and what a killed build has left. */
  removeOthers(): void {
    const serving = this.serving();
    for (const generation of this.#there()) if (generation !== serving) this.#remove(generation);
  }

  /**
   * Keeps other builds away until it is released, or this process ends; null where one is under way. The lock is one of
   * SQLite on an empty file, which no crash leaves behind. Throws where the file can't be used.
   */
  lockBuild(): { readonly release: () => void } | null {
    this.#expectKept();
    const lock = buildLockOf(this.#file);
    const database = new Database(lock, { timeout: 0 });
    try {
      database.exec('BEGIN EXCLUSIVE');
      return { release: () => database.close() };
    } catch (error) {
      database.close();
      if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return null;
      throw error;
    }
  }

  close(): void {
    this.#open.database.close();
  }

  /** The registry that is under the name now: one that was removed or exchanged is opened anew. */
  #registry(): Registry {
    if (inodeOf(this.#file) === this.#open.inode) return this.#open;
    this.#expectKept();
    const opened = openRegistry(this.#file);
    if (E.isLeft(opened)) throw new Error(opened.left.detail);
    this.#open.database.close();
    this.#open = opened.right;
    return this.#open;
  }

  /** Throws where a file that is made or opened by its name may be another ledger's. */
  #expectKept(): void {
    const detail = this.lost();
    if (detail !== null) throw new Error(detail);
  }

  #remove(generation: number): void {
    for (const suffix of SUFFIXES) {
      const path = `${this.fileOf(generation)}${suffix}`;
      // A folder is nothing that this program makes.
      if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) rmSync(path, { force: true });
    }
  }

  #there(): readonly number[] {
    const folder = dirname(this.#file);
    if (!existsSync(folder)) return [];
    const prefix = `${basename(this.#file)}.g`;
    return readdirSync(folder).flatMap((name) => {
      const number = name.startsWith(prefix) ? OF_A_GENERATION.exec(name.slice(prefix.length))?.[1] : undefined;
      return number === undefined ? [] : [Number(number)];
    });
  }
}
