import * as t from 'io-ts';
import type Database from 'better-sqlite3';
import { joinedLine } from '../../../../projections/match/joined-line.ts';
import { lineNode, NodeNameText, transferNode, type NodeName } from '../../../../projections/match/node.ts';
import type { LineId, StatementId, StatementLine } from '../../../domain/statement-line.ts';
import { TransferIdText, type Transfer, type TransferId } from '../../../domain/transfer.ts';
import { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { furtherTerms, lineTerms, termsBeyond } from '../../line-terms.ts';
import { EVIDENCE_TERMS, transferMatchTerms } from '../../match-terms.ts';
import { rowPages } from '../../row-pages.ts';
import { evidenceStatements } from '../../statements/match-statements.ts';
import { readArray } from '../../stored-array.ts';
import { readLine } from '../../stored-match.ts';
import { wrappedLine, type WrappedLine } from '../../wrapped-line.ts';
import type { TermIndex } from '../terms/term-index.ts';
import { BankTables } from './bank-tables.ts';
import { evidenceRef, isOrderRef, numberOfRef, type AddTerm } from './match-refs.ts';

/** Told of a line or transfer that was not there before. */
export type NoteNew = (name: NodeName) => void;

/** Longer lines are read again each time: thousands of them are looked at together. Most have some hundred characters. */
const KEPT_LINE = 4_096;

/** Names that are read at a time. */
const NAMES_AT_ONCE = 1_000;

const Own = t.readonlyArray(t.string);
const Further = t.readonlyArray(t.number);

/** A line of the match, as the file that was imported first has it, but for references that its files do not agree on. */
export type BroughtLine = {
  /** The position of that file. */
  readonly file: number;
  readonly ofFile: WrappedLine;
  readonly line: WrappedLine;
  /** Terms that it is found by as other files have it, and not as that one has it; ascending. */
  readonly further: readonly number[];
};

const isSame = <A>(a: A, b: A): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Bank lines and transfers of one generation, which the tables of bank files hold, by the numbers that the match has for them. */
export class EvidenceRows {
  readonly #sql: SqliteStatements;
  readonly #bank: BankTables;
  readonly #terms: Pick<TermIndex, 'refs'>;
  /** Lines that were read or brought, but for long ones, by their number. */
  readonly #lines = new Map<number, WrappedLine>();
  /** Numbers of what was read or brought: the index has what was brought only behind the part that brought it. */
  readonly #numbers = new Map<NodeName, number>();
  #file: { readonly id: StatementId; readonly position: number } | null = null;
  #hasAny: boolean | null = null;

  constructor(database: Database.Database, terms: Pick<TermIndex, 'refs'>) {
    this.#sql = new SqliteStatements(database);
    this.#bank = new BankTables(database);
    this.#terms = terms;
  }

  /** Whether there is any. */
  hasAny(): boolean {
    return (this.#hasAny ??= this.#sql.get(evidenceStatements.anyEvidence, {}) !== undefined);
  }

  /** To be called when many were read, and their terms are in the index. */
  forgetLines(): void {
    this.#lines.clear();
    this.#numbers.clear();
    this.#file = null;
  }

  /** To be called when it may have changed whether there is any. */
  forgetWhetherAny(): void {
    this.#hasAny = null;
  }

  /** All of them, by number. */
  *names(): Generator<NodeName, void> {
    const read = (no: number) => this.#sql.all(evidenceStatements.names, { no, most: NAMES_AT_ONCE });
    for (const rows of rowPages(read, ({ no }) => no)) for (const row of rows) yield* nameOf(row);
  }

  /** The number of a line or transfer; null where there is none of this name. */
  number(name: NodeName): number | null {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    for (const ref of this.#terms.refs(EVIDENCE_TERMS.name(name))) {
      if (isOrderRef(ref)) continue;
      const no = numberOfRef(ref);
      if (this.nameAt(no) === name) return this.note(name, no);
    }
    return null;
  }

  /** The name of what has a number; null where nothing has. */
  nameAt(no: number): NodeName | null {
    const line = this.lineAt(no);
    if (line !== null) return lineNode(line.lineId);
    const transfer = this.transferAt(no);
    return transfer === null ? null : transferNode(transfer.transferId);
  }

  line(id: LineId): WrappedLine | null {
    const no = this.number(lineNode(id));
    return no === null ? null : this.lineAt(no);
  }

  transfer(id: TransferId): Transfer | null {
    return this.number(transferNode(id)) === null ? null : this.#bank.transfer(id);
  }

  /** The line of a number; null where it is a transfer's, or nothing's. */
  lineAt(no: number): WrappedLine | null {
    const known = this.#lines.get(no);
    if (known !== undefined) return known;
    const brought = this.brought(no);
    if (brought === null) return null;
    this.#keep(no, brought.line);
    return brought.line;
  }

  /** The transfer of a number; null where it is a line's, or nothing's. */
  transferAt(no: number): Transfer | null {
    const row = this.#lines.has(no) ? undefined : this.#sql.get(evidenceStatements.transferAt, { no });
    return row !== undefined && TransferIdText.is(row.transfer_id) ? this.#bank.transfer(row.transfer_id) : null;
  }

  /** A line by its number, and the file that it is kept of; null where it is a transfer's, or nothing's. */
  brought(no: number): BroughtLine | null {
    const row = this.#sql.get(evidenceStatements.lineAt, { no });
    if (row === undefined) return null;
    const ofFile = wrappedLine(readLine(row.line));
    const own = row.own === null ? null : readArray(row.own);
    const further = row.further === null ? null : readArray(row.further);
    const line = Own.is(own) ? { ...ofFile, ownReferences: own } : ofFile;
    return { file: row.file, ofFile, line, further: Further.is(further) ? further : [] };
  }

  /** Takes in a line of a file that the tables of bank files have; answers its node where that is touched. */
  addLine(its: StatementLine, addTerm: AddTerm, noteNew: NoteNew): readonly NodeName[] {
    const line = wrappedLine(its);
    const name = lineNode(line.lineId);
    const file = this.#positionOf(line.statementId);
    const known = this.number(name);
    if (known !== null) return this.#joinLine(known, line, file, addTerm);
    const { no } = this.#sql.one(evidenceStatements.addLine, { file, idx: line.index });
    this.#hasAny = null;
    this.#keep(no, line);
    addTerm(EVIDENCE_TERMS.name(name), evidenceRef(no));
    for (const term of lineTerms(line)) addTerm(term, evidenceRef(no));
    noteNew(name);
    return [name];
  }

  /**
   * The file that was imported first has the line, also where its lines come in later, since it is larger; another one may
   * say less of whose its references are.
   */
  #joinLine(no: number, again: WrappedLine, file: number, addTerm: AddTerm): readonly NodeName[] {
    const known = this.brought(no);
    if (known === null) return [];
    const isFirst = file < known.file;
    const line = isFirst ? joinedLine(again, known.line) : joinedLine(known.line, again);
    const ofFile = isFirst ? again : known.ofFile;
    const isWrappedOtherwise = !isSame(line.atWraps, known.line.atWraps);
    const isOther = isWrappedOtherwise || !isSame(line.ownReferences, known.line.ownReferences);
    // As this file has it, it may tell a reference that the other's does not, or be wrapped elsewhere. No term comes twice.
    const terms = furtherTerms(known, again);
    if (!isFirst && !isOther && terms.length === 0) return [];
    for (const term of terms) addTerm(term, evidenceRef(no));
    const own = isSame(line.ownReferences, ofFile.ownReferences) ? null : JSON.stringify(line.ownReferences);
    const further = termsBeyond(ofFile, [...lineTerms(known.ofFile), ...known.further, ...terms]);
    this.#sql.run(evidenceStatements.bringFrom, {
      no,
      file: isFirst ? file : known.file,
      idx: ofFile.index,
      own,
      further: further.length === 0 ? null : JSON.stringify(further),
    });
    this.#lines.delete(no);
    return isOther ? [lineNode(line.lineId)] : [];
  }

  /** Takes in a transfer that the tables have, as it is known now; answers its node. */
  addTransfer(transfer: Transfer, addTerm: AddTerm, noteNew: NoteNew): readonly NodeName[] {
    const name = transferNode(transfer.transferId);
    this.#sql.run(evidenceStatements.seeChain, { chain_id: String(transfer.chainId) });
    if (this.number(name) !== null) return [name];
    this.#hasAny = null;
    const { no } = this.#sql.one(evidenceStatements.addTransfer, { transfer_id: transfer.transferId });
    this.note(name, no);
    addTerm(EVIDENCE_TERMS.name(name), evidenceRef(no));
    for (const term of transferMatchTerms(transfer)) addTerm(term, evidenceRef(no));
    noteNew(name);
    return [name];
  }

  #positionOf(id: StatementId): number {
    if (this.#file?.id !== id) this.#file = { id, ...this.#sql.one(evidenceStatements.fileOf, { statement_id: id }) };
    return this.#file.position;
  }

  /** Notes the number of a line or transfer. */
  note(name: NodeName, no: number): number {
    this.#numbers.set(name, no);
    return no;
  }

  #keep(no: number, line: WrappedLine): void {
    this.note(lineNode(line.lineId), no);
    if (line.raw.length + line.text.length <= KEPT_LINE) this.#lines.set(no, line);
  }
}

const nameOf = ({
  line_id,
  transfer_id,
}: {
  readonly line_id: string | null;
  readonly transfer_id: string | null;
}): readonly NodeName[] => {
  const name = line_id === null ? `transfer:${transfer_id ?? ''}` : `line:${line_id}`;
  return NodeNameText.is(name) ? [name] : [];
};
