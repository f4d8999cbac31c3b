import * as E from 'fp-ts/lib/Either.js';
import { troubleLine } from '../../domain/trouble.ts';
import type { HeldFile } from '../kept-place.ts';
import { sqliteCode } from '../sqlite-code.ts';
import type { SpoolFailed } from '../spool.ts';
import { openSpoolFile } from './open-spool-file.ts';
import { MOVED, type SpoolFile } from './spool-file.ts';

const RECOVER_EVERY_MS = 1_000;
const LOOK_EVERY_MS = 1_000;
/**
 * Writes that found no room, or the file locked or moved, left everything as it was; after a failed fsync only what is read anew
 * is known (docs/spec/receiving.md, Durability).
 */
const AS_IT_WAS = new Set(['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_BUSY', MOVED]);

const failed = (detail: string): SpoolFailed => ({ _tag: 'SpoolFailed', detail });

const describe = (error: unknown): string => {
  const code = sqliteCode(error);
  const message = error instanceof Error ? error.message : String(error);
  return code === '' ? message : `${code}: ${message}`;
};

type Options = {
  readonly file: string;
  readonly locks?: readonly HeldFile[];
  readonly clockMs: () => number;
  /** Reads what is there, when the file was opened anew. */
  readonly load: (file: SpoolFile) => void;
  /** Told that a trouble is over. */
  readonly onMended: () => void;
};

/** The file of a spool, which may fail and mend: it is tried again, or opened anew, until it works. */
export class MendingFile {
  readonly #options: Options;
  #file: SpoolFile;
  /** Why nothing could be written, or read, last. */
  #trouble: string | null = null;
  /** Whether the file has to be opened anew before anything is read or written. */
  #isBroken = false;
  #isClosed = false;
  #recoverFrom = 0;
  #lookFrom = 0;

  constructor(file: SpoolFile, options: Options) {
    this.#file = file;
    this.#options = options;
  }

  /**
   * Why nothing can be written at present; null where all is well. It is looked, at most once a second, whether that is over,
   * and whether the file is where it was: where nothing comes, nobody else looks.
   */
  trouble(): string | null {
    if (this.#trouble === null) this.#look();
    else this.#recover();
    return this.#trouble;
  }

  /** Reads; a file that failed is opened anew before, at most once a second. */
  read<A>(what: (file: SpoolFile) => A): E.Either<SpoolFailed, A> {
    if (this.#isClosed) return E.left(failed('the spool is closed'));
    if (this.#isBroken) this.#recover();
    return this.#isBroken ? E.left(failed(this.#trouble ?? '')) : this.#attempt(() => what(this.#file));
  }

  /** Writes; success says that the file works. */
  write<A>(what: (file: SpoolFile) => A): E.Either<SpoolFailed, A> {
    const written = this.read(what);
    if (E.isRight(written)) this.#trouble = null;
    return written;
  }

  /** Nothing is read, written or opened any more. */
  close(): void {
    this.#attempt(() => this.#file.close());
    this.#isClosed = true;
  }

  #look(): void {
    const now = this.#options.clockMs();
    if (now < this.#lookFrom || this.#isClosed) return;
    this.#lookFrom = now + LOOK_EVERY_MS;
    this.#attempt(() => this.#file.mustBeInPlace());
  }

  #recover(): void {
    const now = this.#options.clockMs();
    if (now < this.#recoverFrom) return;
    this.#recoverFrom = now + RECOVER_EVERY_MS;
    const recovered = this.#isBroken ? this.#reopen() : this.#attempt(() => this.#file.probe());
    if (E.isLeft(recovered)) return;
    this.#trouble = null;
    this.#options.onMended();
  }

  #reopen(): E.Either<SpoolFailed, void> {
    this.#attempt(() => this.#file.close());
    const opened = openSpoolFile(this.#options.file, this.#options.locks);
    if (E.isLeft(opened)) {
      this.#trouble = troubleLine(opened.left);
      return E.left(failed(this.#trouble));
    }
    this.#file = opened.right;
    const loaded = this.#attempt(() => this.#options.load(this.#file));
    if (E.isRight(loaded)) this.#isBroken = false;
    return loaded;
  }

  /** Does what may fail, and keeps in mind that it did. */
  #attempt<A>(what: () => A): E.Either<SpoolFailed, A> {
    return E.tryCatch(what, (error) => {
      this.#trouble = describe(error);
      this.#recoverFrom = this.#options.clockMs() + RECOVER_EVERY_MS;
      if (!AS_IT_WAS.has(sqliteCode(error))) this.#isBroken = true;
      return failed(this.#trouble);
    });
  }
}
