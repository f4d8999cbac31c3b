import type { Position } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import type { StatementImportedData } from '../domain/own-event/statement-events.ts';
import type { LineId, StatementId } from '../domain/statement-line.ts';
import type { ChainId, Transfer } from '../domain/transfer.ts';

/** An imported bank file. */
export type ImportedStatement = StatementImportedData & {
  readonly position: Position;
  /** Who imported it, and when. */
  readonly by: string;
  readonly at: Instant;
};

/** A page of imported files, in the order in which they came, or with the last one first. */
export type StatementsQuestion = {
  readonly after: Position | null;
  readonly limit: number;
  readonly isNewestFirst?: true;
};

/** A page of the lines of an imported file, in their order. `after`: the index of the line before. */
export type LinesQuestion = {
  readonly statementId: StatementId;
  readonly after: number | null;
  readonly limit: number;
};

/** A line, and an imported file that has it. */
export type FileOfLine = { readonly lineId: LineId; readonly statementId: StatementId };

/** A transfer as it was seen last, at the place of its first observation in the log. */
export type SeenTransfer = Transfer & { readonly position: Position };

/** A page of transfers, in the order in which they were first seen; null: on every chain, of every hash. */
export type TransfersQuestion = {
  readonly chainId: ChainId | null;
  readonly txnHash: string | null;
  readonly after: Position | null;
  readonly limit: number;
};
