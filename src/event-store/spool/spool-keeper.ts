import * as E from 'fp-ts/lib/Either.js';
import { troubleLine } from '../../domain/trouble.ts';
import { held, type HeldFile } from '../kept-place.ts';
import { isDamage, sqliteCode } from '../sqlite-code.ts';
import {
  BEFORE_ALL,
  type KeeperOptions,
  type SpoolAnswer,
  type SpoolQuestion,
  type SpoolRows,
} from './keeper-message.ts';
import { openSpoolFile } from './open-spool-file.ts';
import { unpackIncoming } from './spool-batch.ts';
import { MOVED, type SpoolFile } from './spool-file.ts';
import { spoolOpenFailure } from './spool-open-error.ts';

/**
 * Writes that found no room, or the file locked, or moved before they began, left everything as it was; after a failed fsync only what is read anew
 * is known (docs/spec/receiving.md, Durability).
 */
const AS_IT_WAS = new Set(['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_BUSY', MOVED]);

/** Rows that are counted at once: a spool may hold hundreds of thousands, and whoever counts them receives deliveries too. */
const ROWS_AT_ONCE = 1_000;

const describe = (error: unknown): string => {
  const code = sqliteCode(error);
  const message = error instanceof Error ? error.message : String(error);
  return code === '' ? message : `${code}: ${message}`;
};

/** The one that has the file of a spool open, and does with it what it is asked. Each call stands as long as the disk takes. */
export class SpoolKeeper {
  readonly #options: KeeperOptions;
  readonly #rowsAtOnce: number;
  #file: SpoolFile | null = null;
  /** Why the file has to be opened anew before anything else. */
  #broken = 'the spool is not open';

  /** @param rowsAtOnce of those that are counted */
  constructor(options: KeeperOptions, rowsAtOnce = ROWS_AT_ONCE) {
    this.#options = options;
    this.#rowsAtOnce = rowsAtOnce;
  }

  readonly answer = (question: SpoolQuestion): SpoolAnswer => {
    if (question._tag === 'Open') return this.#open(question.known);
    const file = this.#file;
    if (file === null) return { _tag: 'Failed', detail: this.#broken, isBroken: true };
    try {
      return this.#done(file, question);
    } catch (error) {
      return this.#failed(error);
    }
  };

  readonly close = (): void => {
    this.#file?.close();
    this.#file = null;
  };

  #open(before: HeldFile | null): SpoolAnswer {
    this.#letGo();
    const { file, locks } = this.#options;
    const opened = openSpoolFile(file, locks, before);
    if (E.isLeft(opened)) return { _tag: 'NotOpened', reason: opened.left };
    try {
      const [highest, usedBytes] = [opened.right.highest(), opened.right.usedBytes()];
      const rows = this.#rows(opened.right, BEFORE_ALL, highest);
      const known = before ?? held(file);
      if (known === null) throw new Error('it was removed');
      this.#file = opened.right;
      return { _tag: 'Opened', known, highest, usedBytes, brokenLog: opened.right.brokenLog, ...rows };
    } catch (error) {
      opened.right.close();
      return { _tag: 'NotOpened', reason: spoolOpenFailure(error, file) };
    }
  }

  #done(file: SpoolFile, question: Exclude<SpoolQuestion, { readonly _tag: 'Open' }>): SpoolAnswer {
    switch (question._tag) {
      case 'NextRows':
        return { _tag: 'Rows', ...this.#rows(file, question.behind, question.upTo) };
      case 'Write': {
        const astray = file.write(unpackIncoming(question.batch), question.batch.settled);
        return { _tag: 'Written', astray: astray === null ? null : describe(astray) };
      }
      case 'Read':
        return { _tag: 'Delivery', delivery: file.at(question.seq) };
      case 'ReadSetAside':
        return { _tag: 'SetAside', entries: file.setAsideEntries() };
      case 'Probe':
        file.probe();
        break;
      case 'Look':
        file.mustBeInPlace();
        break;
      case 'TruncateLog':
        file.truncateLog();
    }
    return { _tag: 'Done' };
  }

  /** Who counts comes by each place, so that notes without a delivery are found on the way. */
  #rows(file: SpoolFile, behind: number, upTo: number): SpoolRows {
    const rows = file.index(behind, upTo, this.#rowsAtOnce);
    const isLast = rows.length < this.#rowsAtOnce;
    // Where there is no room even for that they stay: whatever comes has a place behind them.
    E.tryCatch(
      () => file.removeOrphanNotes(behind, isLast ? upTo : (rows.at(-1)?.seq ?? upTo)),
      () => undefined,
    );
    return { rows, isLast };
  }

  #failed(error: unknown): SpoolAnswer {
    const detail = isDamage(error) ? troubleLine(spoolOpenFailure(error, this.#options.file)) : describe(error);
    const isBroken = !AS_IT_WAS.has(sqliteCode(error));
    if (isBroken) {
      this.#broken = detail;
      this.#letGo();
    }
    return { _tag: 'Failed', detail, isBroken };
  }

  /** What is not known can't be made worse by a close that fails. */
  #letGo(): void {
    E.tryCatch(this.close, () => undefined);
    this.#file = null;
  }
}
