import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { StatementId } from '../../domain/statement-line.ts';
import type { OpenedStatement } from '../../statements/opened-statement.ts';
import type { StatementReading } from '../../statements/read-statement-file.ts';
import type { StatementUnreadable } from '../../statements/unreadable.ts';

/** A bank file could not be read or kept for a reason of this machine's. `detail`: for operators. */
export type FileFailed = { readonly _tag: 'FileFailed'; readonly detail: string };

/** What becomes of the bytes of bank files. */
export type StatementFiles = {
  /** Reads a file, in a thread of its own where deliveries come in beside. */
  readonly open: (
    bytes: Uint8Array,
    reading: StatementReading,
  ) => TE.TaskEither<StatementUnreadable | FileFailed, OpenedStatement>;
  /** Keeps a file under its digest, once, durably. */
  readonly keep: (statementId: StatementId, bytes: Uint8Array) => TE.TaskEither<FileFailed, void>;
};
