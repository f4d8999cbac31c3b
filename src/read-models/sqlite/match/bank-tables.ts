import { addAll } from '../../../domain/add-all.ts';
import type Database from 'better-sqlite3';
import { branded } from '../../../domain/brand.ts';
import type { EventId, Position } from '../../../domain/ids.ts';
import { compareObservations } from '../../../domain/observation.ts';
import { positionNumber } from '../../../domain/position.ts';
import type { LineId, StatementId, StatementLine } from '../../../domain/statement-line.ts';
import { hexKey, type Transfer, type TransferId } from '../../../domain/transfer.ts';
import { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import type { BankChange } from '../../bank-change.ts';
import type {
  FileOfLine,
  ImportedStatement,
  LinesQuestion,
  SeenTransfer,
  StatementsQuestion,
  TransfersQuestion,
} from '../../bank-questions.ts';
import { PageBytes } from '../../page-bytes.ts';
import { present } from '../../present.ts';
import type { Page } from '../../read-models.ts';
import { bankStatements } from '../../statements/bank-statements.ts';
import { readLine, readStatement, readTransfer } from '../../stored-bank.ts';

const positionOf = (position: number): Position => branded<Position>(String(position));

const behind = (after: Position | null): number => (after === null ? -1 : Number(after));

/**
 * Bank files, their lines and transfers. Lines are there as soon as their events are, and count when the file's last event has
 * come.
 */
export class BankTables {
  readonly #sql: SqliteStatements;

  constructor(database: Database.Database) {
    this.#sql = new SqliteStatements(database);
  }

  apply(change: BankChange): void {
    if (change._tag === 'Line') {
      const { line } = change;
      this.#sql.run(bankStatements.insertLine, {
        statement_id: line.statementId,
        reading: line.reading,
        idx: line.index,
        line_id: line.lineId,
        account: line.account,
        booked_on: line.bookedOn,
        line: JSON.stringify(line),
      });
    } else if (change._tag === 'Imported') this.#imported(change.statement);
    else this.#observed(change.transfer, change.eventId, change.position);
  }

  /** A page of files, which ends by its size too: what a file says of its accounts may be as large as orders are. */
  statements({ after, limit, isNewestFirst }: StatementsQuestion): Page<ImportedStatement> {
    const most = limit + 1;
    const rows =
      isNewestFirst === true
        ? this.#sql.iterate(bankStatements.newest, {
            before: after === null ? Number.MAX_SAFE_INTEGER : Number(after),
            most,
          })
        : this.#sql.iterate(bankStatements.page, { after: behind(after), most });
    const bytes = new PageBytes();
    const data: ImportedStatement[] = [];
    for (const { position, statement, noted } of rows) {
      if (data.length === limit || !bytes.takes(statement.length)) return { data, more: true };
      addAll(data, present(readStatement(statement, noted, positionOf(position))));
    }
    return { data, more: false };
  }

  statement(statementId: StatementId): ImportedStatement | null {
    const row = this.#sql.get(bankStatements.byId, { statement_id: statementId });
    return row === undefined ? null : readStatement(row.statement, row.noted, positionOf(row.position));
  }

  lines({ statementId, after, limit }: LinesQuestion): readonly StatementLine[] {
    return this.#sql
      .all(bankStatements.lines, { statement_id: statementId, after: after ?? -1, most: limit })
      .flatMap(({ line }) => present(readLine(line)));
  }

  knownLines(ids: readonly LineId[]): readonly LineId[] {
    return ids.filter((id) => this.#sql.get(bankStatements.isKnown, { line_id: id }) !== undefined);
  }

  filesOfLines(ids: readonly LineId[]): readonly FileOfLine[] {
    return ids.flatMap((lineId) =>
      this.#sql
        .all(bankStatements.filesOfLine, { line_id: lineId })
        .map(({ statement_id }) => ({ lineId, statementId: branded<StatementId>(statement_id) })),
    );
  }

  transfers({ chainId, txnHash, after, limit }: TransfersQuestion): readonly SeenTransfer[] {
    const page = { after: behind(after), chain_id: chainId, most: limit };
    const rows =
      txnHash === null
        ? this.#sql.all(bankStatements.transfers, page)
        : this.#sql.all(bankStatements.transfersOfHash, { ...page, hash_key: hexKey(txnHash) });
    return rows.flatMap(({ position, transfer }) => present(readTransfer(transfer, positionOf(position))));
  }

  /** A transfer as it was seen last; null where it never was. */
  transfer(transferId: TransferId): Transfer | null {
    const row = this.#sql.get(bankStatements.transfer, { transfer_id: transferId });
    if (row === undefined) return null;
    const found = readTransfer(row.transfer, positionOf(row.position));
    if (found === null) return null;
    const { position: _seen, ...transfer } = found;
    return transfer;
  }

  #imported({ position, by, at, ...statement }: ImportedStatement): void {
    const { statementId, reading } = statement;
    this.#sql.run(bankStatements.insertStatement, {
      position: positionNumber(position),
      statement_id: statementId,
      reading,
      statement: JSON.stringify(statement),
      noted: JSON.stringify({ by, at }),
    });
  }

  /** Of several observations the newest is kept, in whatever order they come. */
  #observed(transfer: Transfer, eventId: EventId, position: Position): void {
    const { transferId, observedAt } = transfer;
    const there = this.#sql.get(bankStatements.transfer, { transfer_id: transferId });
    const at = positionNumber(position);
    const kept = there === undefined ? null : readTransfer(there.transfer, position);
    const isNewest =
      there === undefined ||
      kept === null ||
      compareObservations({ transfer, eventId }, { transfer: kept, eventId: branded<EventId>(there.event_id) }) > 0;
    this.#sql.run(bankStatements.putTransfer, {
      transfer_id: transferId,
      position: Math.min(at, there?.position ?? at),
      chain_id: transfer.chainId,
      hash_key: hexKey(transfer.txnHash),
      observed_at: isNewest ? observedAt : there.observed_at,
      event_id: isNewest ? eventId : there.event_id,
      transfer: isNewest ? JSON.stringify(transfer) : there.transfer,
    });
  }
}
