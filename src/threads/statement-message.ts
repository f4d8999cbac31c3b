import type { TransfersContext } from '../chain/read-transfers.ts';
import type { SourcedTransfer } from '../domain/transfer.ts';
import type { LineKey } from '../domain/line-key.ts';
import type { StatementId, UnnamedLine } from '../domain/statement-line.ts';
import type { LineNames } from '../statements/line-ids.ts';
import type { StatementReading } from '../statements/read-statement-file.ts';
import type { StatementFacts } from '../statements/statement-facts.ts';
import type { PeekedTable } from '../statements/table/peek-table.ts';
import type { StatementUnreadable } from '../statements/unreadable.ts';
import { none, protocol, tagged } from './thread-message.ts';

/** What the thread of one file is asked: to read it, then for its lines or transfers; or to look at a table's first rows. */
export type StatementQuestion =
  | { readonly _tag: 'Read'; readonly bytes: Uint8Array; readonly reading: StatementReading }
  | { readonly _tag: 'Lines'; readonly from: number; readonly most: number }
  | { readonly _tag: 'LineNames'; readonly key: LineKey; readonly from: number; readonly most: number }
  | { readonly _tag: 'ReadTransfers'; readonly bytes: Uint8Array; readonly context: TransfersContext }
  | { readonly _tag: 'Transfers'; readonly from: number; readonly most: number }
  | { readonly _tag: 'Peek'; readonly bytes: Uint8Array; readonly format: 'csv' | 'xlsx' };

/** Its answer. */
export type StatementAnswer =
  | {
      readonly _tag: 'Read';
      readonly statementId: StatementId;
      readonly facts: StatementFacts;
    }
  | { readonly _tag: 'Refused'; readonly refusal: StatementUnreadable }
  | { readonly _tag: 'Lines'; readonly lines: readonly UnnamedLine[] }
  | { readonly _tag: 'LineNames'; readonly names: readonly LineNames[] }
  | { readonly _tag: 'TransfersRead'; readonly count: number }
  | { readonly _tag: 'Transfers'; readonly transfers: readonly SourcedTransfer[] }
  | { readonly _tag: 'Peeked'; readonly table: PeekedTable };

export const statementProtocol = protocol<StatementQuestion, StatementAnswer, never, never>({
  question: tagged<StatementQuestion>({
    Read: true,
    Lines: true,
    LineNames: true,
    ReadTransfers: true,
    Transfers: true,
    Peek: true,
  }),
  answer: tagged<StatementAnswer>({
    Read: true,
    Refused: true,
    Lines: true,
    LineNames: true,
    TransfersRead: true,
    Peeked: true,
    Transfers: true,
  }),
  note: none,
  news: none,
});
