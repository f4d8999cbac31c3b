import { hexKey, type SourcedTransfer } from '../../domain/transfer.ts';
import { decodeAs } from '../../statements/read-text.ts';
import { unreadable, type StatementUnreadable } from '../../statements/unreadable.ts';
import { isTransfersUnreadable, readTransfers, type TransfersContext } from '../../chain/read-transfers.ts';

/** A file of transfers that was read whole, and its transfers, which may be many. */
export type OpenedTransfers = {
  readonly count: number;
  /** Some transfers; those of one transaction stand together. */
  readonly transfers: (from: number, most: number) => readonly SourcedTransfer[];
};

/** Reads a file of transfers whole: NDJSON, or an explorer's CSV (docs/spec/statements.md, A transfer). */
export const openTransfers = async (
  bytes: Uint8Array,
  context: TransfersContext,
): Promise<OpenedTransfers | StatementUnreadable> => {
  const text = decodeAs(bytes, 'utf-8');
  if (text === null) return unreadable(1, 'encoding', 'the file is no UTF-8');
  const { parse } = await import('csv-parse/sync');
  const read = readTransfers(parse, text, context);
  if (isTransfersUnreadable(read)) return unreadable(read.line, read.field, read.detail);
  const byTransaction = Map.groupBy(read, ({ chainId, txnHash }) => `${chainId} ${hexKey(txnHash)}`);
  const transfers = [...byTransaction.values()].flat();
  return { count: transfers.length, transfers: (from, most) => transfers.slice(from, from + most) };
};
