import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { LineKey } from '../../domain/line-key.ts';
import type { StatementId, UnnamedLine } from '../../domain/statement-line.ts';
import type { AskerGone } from '../failure/asker-gone.ts';
import type { OpenedTransfers } from '../transfers/opened-transfers.ts';
import type { TransfersContext } from '../../chain/read-transfers.ts';
import type { SourcedTransfer } from '../../domain/transfer.ts';
import type { LineNames } from '../../statements/line-ids.ts';
import type { OpenedStatement } from '../../statements/opened-statement.ts';
import type { StatementReading } from '../../statements/read-statement-file.ts';
import type { PeekedTable } from '../../statements/table/peek-table.ts';
import { isUnreadable, type StatementUnreadable } from '../../statements/unreadable.ts';

/** A bank file could not be read or kept for a reason of this machine's. `detail`: for operators. */
export type FileFailed = { readonly _tag: 'FileFailed'; readonly detail: string };

/** A bank file that was read whole, wherever its lines are. */
export type OpenedFile = Omit<OpenedStatement, 'lines' | 'names'> & {
  /** Some lines from one on, in the order of the file: so many, or fewer where they are long; none only behind the last one. Else a failure. */
  readonly lines: (from: number, most: number) => TE.TaskEither<FileFailed, readonly UnnamedLine[]>;
  /** The ids that so many lines from one on may have, as if the file were the only one: of all that it has there, or a failure. */
  readonly names: (key: LineKey, from: number, most: number) => TE.TaskEither<FileFailed, readonly LineNames[]>;
  /** Lets go of the lines. */
  readonly close: () => Promise<void>;
};

/** A file of transfers that was read whole, wherever its transfers are. */
export type OpenedTransferFile = Omit<OpenedTransfers, 'transfers'> & {
  /** So many transfers from one on: all of them that the file has there, or a failure. */
  readonly transfers: (from: number, most: number) => TE.TaskEither<FileFailed, readonly SourcedTransfer[]>;
  /** Lets go of the transfers. */
  readonly close: () => Promise<void>;
};

/** What becomes of the bytes of bank files, and of files of transfers. */
export type StatementFiles = {
  /** Reads a file, in a thread of its own where deliveries come in beside. */
  readonly open: (
    bytes: Uint8Array,
    reading: StatementReading,
  ) => TE.TaskEither<StatementUnreadable | FileFailed | AskerGone, OpenedFile>;
  /** Reads a file of transfers, in a thread of its own likewise, which may take the bytes with it. */
  readonly openTransfers: (
    bytes: Uint8Array,
    context: TransfersContext,
  ) => TE.TaskEither<StatementUnreadable | FileFailed | AskerGone, OpenedTransferFile>;
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
        names: (key, from, most) => () => Promise.resolve(E.right(read.names(key, from, most))),
        close: () => Promise.resolve(),
      });

/** A file of transfers that was read here. */
export const transfersOpenedHere = (
  read: OpenedTransfers | StatementUnreadable,
): E.Either<StatementUnreadable, OpenedTransferFile> =>
  '_tag' in read
    ? E.left(read)
    : E.right({
        count: read.count,
        transfers: (from, most) => () => Promise.resolve(E.right(read.transfers(from, most))),
        close: () => Promise.resolve(),
      });

/** Looks at the first rows of a CSV or a workbook, before anybody has said what its columns are. */
export type PeekTable = (
  bytes: Uint8Array,
  format: 'csv' | 'xlsx',
) => TE.TaskEither<StatementUnreadable | FileFailed | AskerGone, PeekedTable>;
