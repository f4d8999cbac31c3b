import { joinedLine } from '../../../projections/match/joined-line.ts';
import { lineNode, NodeNameText, transferNode, type NodeName } from '../../../projections/match/node.ts';
import type { LineId, StatementLine } from '../../domain/statement-line.ts';
import type { Transfer, TransferId } from '../../domain/transfer.ts';
import type { SqliteStatements } from '../../sql/sqlite-statements.ts';
import { lineMatchTerms, transferMatchTerms } from '../match-terms.ts';
import { evidenceStatements } from '../statements/match-statements.ts';
import { readLine, readTransfer } from '../stored-match.ts';
import { evidenceRef, type AddTerm } from './match-refs.ts';

/** Told of a line or transfer that was not there before. */
export type NoteNew = (name: NodeName) => void;

/** Lines that are longer are read again each time: thousands of them are looked at together. Most have some hundred characters. */
const KEPT_LINE = 4_096;

/** Bank lines and transfers of one generation, each in a row of its own. */
export class EvidenceRows {
  readonly #sql: SqliteStatements;
  /** Lines that were read or brought, but for long ones, by their number, and their numbers. */
  readonly #lines = new Map<number, StatementLine>();
  readonly #lineNumbers = new Map<LineId, number>();
  #hasAny: boolean | null = null;

  constructor(sql: SqliteStatements) {
    this.#sql = sql;
  }

  /** Whether there is any. */
  hasAny(): boolean {
    return (this.#hasAny ??= this.#sql.get(evidenceStatements.anyEvidence, {}) !== undefined);
  }

  /** To be called when many were read. */
  forgetLines(): void {
    this.#lines.clear();
    this.#lineNumbers.clear();
  }

  /** To be called when it may have changed whether there is any. */
  forgetWhetherAny(): void {
    this.#hasAny = null;
  }

  /** All of them, by number. */
  *names(): Generator<NodeName, void> {
    for (const { name } of this.#sql.all(evidenceStatements.names, {})) if (NodeNameText.is(name)) yield name;
  }

  line(id: LineId): StatementLine | null {
    const no = this.#lineNumbers.get(id);
    const known = no === undefined ? undefined : this.#lines.get(no);
    if (known !== undefined) return known;
    const row = this.#sql.get(evidenceStatements.byName, { name: lineNode(id) });
    return row === undefined ? null : this.#readLine(row.no, row.body);
  }

  transfer(id: TransferId): Transfer | null {
    const row = this.#sql.get(evidenceStatements.byName, { name: transferNode(id) });
    return row === undefined ? null : readTransfer(row.body);
  }

  /** The line of a number; null where it is a transfer's, or nothing's. */
  lineAt(no: number): StatementLine | null {
    const known = this.#lines.get(no);
    if (known !== undefined) return known;
    const row = this.#sql.get(evidenceStatements.byNo, { no });
    return row?.name.startsWith('line:') === true ? this.#readLine(no, row.body) : null;
  }

  /** The transfer of a number; null where it is a line's, or nothing's. */
  transferAt(no: number): Transfer | null {
    const row = this.#lines.has(no) ? undefined : this.#sql.get(evidenceStatements.byNo, { no });
    return row?.name.startsWith('transfer:') === true ? readTransfer(row.body) : null;
  }

  /** Keeps a line; answers its node where that is touched. */
  addLine(line: StatementLine, addTerm: AddTerm, noteNew: NoteNew): readonly NodeName[] {
    const name = lineNode(line.lineId);
    const known = this.#sql.get(evidenceStatements.byName, { name });
    if (known !== undefined) return this.#joinLine(known, line);
    this.#hasAny = null;
    const body = JSON.stringify(line);
    const { no } = this.#sql.one(evidenceStatements.insert, { name, body });
    this.#keepLine(no, line, body);
    for (const term of lineMatchTerms(line)) addTerm(term, evidenceRef(no));
    noteNew(name);
    return [name];
  }

  /** The file that brought a line first has it; another one may say less of whose its references are. */
  #joinLine({ no, body }: { readonly no: number; readonly body: string }, again: StatementLine): readonly NodeName[] {
    const line = readLine(body);
    const joined = joinedLine(line, again);
    if (joined === line) return [];
    // It may only have got a key by this: the terms that it is found by are all there.
    this.#sql.run(evidenceStatements.update, { no, body: JSON.stringify(joined) });
    this.#lines.delete(no);
    return [lineNode(line.lineId)];
  }

  /** Keeps what is known of a transfer now; answers its node. */
  addTransfer(transfer: Transfer, addTerm: AddTerm, noteNew: NoteNew): readonly NodeName[] {
    const name = transferNode(transfer.transferId);
    const body = JSON.stringify(transfer);
    this.#sql.run(evidenceStatements.seeChain, { chain_id: String(transfer.chainId) });
    const known = this.#sql.get(evidenceStatements.byName, { name });
    if (known === undefined) {
      this.#hasAny = null;
      const { no } = this.#sql.one(evidenceStatements.insert, { name, body });
      for (const term of transferMatchTerms(transfer)) addTerm(term, evidenceRef(no));
      noteNew(name);
      return [name];
    }
    this.#sql.run(evidenceStatements.update, { no: known.no, body });
    return [name];
  }

  #readLine(no: number, body: string): StatementLine {
    const line = readLine(body);
    this.#keepLine(no, line, body);
    return line;
  }

  #keepLine(no: number, line: StatementLine, body: string): void {
    if (body.length > KEPT_LINE) return;
    this.#lines.set(no, line);
    this.#lineNumbers.set(line.lineId, no);
  }
}
