import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { StatementId, StatementLine } from '../../domain/statement-line.ts';
import type { OpenedStatement } from '../../statements/opened-statement.ts';
import type { StatementReading } from '../../statements/read-statement-file.ts';
import { isUnreadable, type StatementUnreadable } from '../../statements/unreadable.ts';

/** A bank file could not be read or kept for a reason of this machine's. `detail`: for operators. */
export type FileFailed = { readonly _tag: 'FileFailed'; readonly detail: string };

/** A bank file that was read whole, wherever its lines are. */
export type OpenedFile = Omit<OpenedStatement, 'lines'> & {
  /** So many lines from one on, in the order of the file: all of them that the file has there, or a failure. */
  readonly lines: (from: number, most: number) => TE.TaskEither<FileFailed, readonly StatementLine[]>;
  /** Lets go of the lines. */
  readonly close: () => Promise<void>;
};

/** What becomes of the bytes of bank files. */
export type StatementFiles = {
  /** Reads a file, in a thread of its own where deliveries come in beside. */
  readonly open: (
    bytes: Uint8Array,
    reading: StatementReading,
  ) => TE.TaskEither<StatementUnreadable | FileFailed, OpenedFile>;
  /** Keeps a file under its digest, once, durably. */
  readonly keep: (statementId: StatementId, bytes: Uint8Array) => TE.TaskEither<FileFailed, void>;
};

/** A file that was read here, its lines in this memory. */
export const openedHere = (read: OpenedStatement | StatementUnreadable): E.Either<StatementUnreadable, OpenedFile> =>
  isUnreadable(read)
    ? E.left(read)
    : E.right({
        ...read,
        lines: (from, most) => () => Promise.resolve(E.right(read.lines(from, most))),
        close: () => Promise.resolve(),
      });
