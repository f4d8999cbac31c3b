import { joinedLine } from '../../../../projections/match/joined-line.ts';
import { lineNode, transferNode, type NodeName } from '../../../../projections/match/node.ts';
import { branded } from '../../../domain/brand.ts';
import type { LineId } from '../../../domain/statement-line.ts';
import type { TransferId } from '../../../domain/transfer.ts';
import type { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { compared } from '../../compared.ts';
import { rowPages } from '../../row-pages.ts';
import { verifyMatchStatements } from '../../statements/verify-match-statements.ts';
import { lineTerms, termsBeyond } from '../../line-terms.ts';
import { readLine } from '../../stored-bank.ts';
import { wrappedLine } from '../../wrapped-line.ts';
import type { MatchEvidence } from '../match/match-evidence.ts';
import type { TermIndex } from '../terms/term-index.ts';
import { EvidenceEntries } from './evidence-entries.ts';
import { type MatchDifferences, readable } from './match-differences.ts';
import type { Unsettled } from './unsettled.ts';
import type { VerifiedMatch } from './verified-match.ts';

const AT_ONCE = 500;

type EvidenceRow = {
  readonly no: number;
  readonly file: number | null;
  readonly idx: number | null;
  readonly transfer_id: string | null;
  readonly own: string | null;
  readonly further: string | null;
};

/** Compares what the match has of bank lines and transfers with the tables that they were brought into. */
export class MatchEvidenceVerification {
  readonly #sql: SqliteStatements;
  readonly #evidence: MatchEvidence;
  readonly #terms: TermIndex;
  readonly #itemIds: TermIndex;
  readonly #entries = new EvidenceEntries();
  readonly #differences: MatchDifferences;

  constructor({ sql, evidence, terms, itemIds, differences }: VerifiedMatch) {
    this.#sql = sql;
    this.#evidence = evidence;
    this.#terms = terms;
    this.#itemIds = itemIds;
    this.#differences = differences;
  }

  /** To be called while the evidence is steady. */
  compare(unsettled: Unsettled): void {
    this.#differences.look('evidence of the match', () => this.#ofEvidence(unsettled));
    this.#differences.look('bank lines', () => this.#ofLines());
    this.#differences.look('transfers', () => this.#ofTransfers());
  }

  /** What the match is found by, once all of its evidence was compared. */
  compareEntries(): void {
    this.#differences.look('what the match is found by', () => this.#ofEntries());
  }

  /** Each line and transfer of the match is one of the bank's tables, found by its name, and none of them is missing. */
  #ofEvidence(unsettled: Unsettled): void {
    const read = (no: number) => this.#sql.all(verifyMatchStatements.evidence, { no, most: AT_ONCE });
    for (const rows of rowPages(read, ({ no }) => no)) {
      for (const row of rows) {
        const { no, item } = row;
        const name = compared(
          () => this.#sourceOf(row),
          () => null,
        );
        if (name === null) {
          this.#entries.addDamaged(no);
          this.#differences.add(`number ${no} of the match differs`);
        } else if (item === null && !unsettled.nodes.has(name)) this.#differences.add(`${name} is in no item`);
      }
      this.#evidence.forget();
    }
  }

  /** The name of what has a number in the match, where all is well with it. */
  #sourceOf(row: EvidenceRow): NodeName | null {
    const { no } = row;
    const name = this.#nameAt(row);
    return name !== null && this.#evidence.evidenceNumber(name) === no ? name : null;
  }

  #nameAt({ no, file, idx, transfer_id, own: ownText, further: furtherText }: EvidenceRow): NodeName | null {
    const transfer = this.#evidence.transferAt(no);
    if (transfer !== null) {
      const isOfLine = file !== null || idx !== null || ownText !== null || furtherText !== null;
      if (isOfLine || transfer_id !== transfer.transferId) return null;
      this.#entries.addTransfer(no, transfer);
      return transferNode(transfer.transferId);
    }
    const brought = readable(no, (its) => this.#evidence.brought(its));
    if (brought === null) return null;
    const files = this.#sql.all(verifyMatchStatements.broughtLines, { line_id: brought.line.lineId });
    const lines = files.flatMap(({ line }) => readLine(line) ?? []);
    const [first] = lines;
    const isFirst = first !== undefined && files[0]?.position === brought.file && first.index === brought.line.index;
    if (!isFirst) return null;
    const own = lines.reduce(joinedLine, first).ownReferences;
    const expected = JSON.stringify(own);
    if (transfer_id !== null || expected !== JSON.stringify(brought.line.ownReferences)) return null;
    if (ownText !== (expected === JSON.stringify(first.ownReferences) ? null : expected)) return null;
    const terms = lines.flatMap((line) => [...lineTerms(wrappedLine(line))]);
    const further = termsBeyond(brought.ofFile, terms);
    if (furtherText !== (further.length === 0 ? null : JSON.stringify(further))) return null;
    this.#entries.addLine(no, first.lineId, new Set(terms));
    return lineNode(first.lineId);
  }

  /** Whatever lines and transfers are searched by leads to them, and what searches items finds them: old entries lead to what has another id. */
  #ofEntries(): void {
    const differing = this.#entries.differing(this.#terms);
    if (differing === null) this.#differences.add('the index that finds orders and evidence for the match is damaged');
    for (const no of differing ?? []) this.#differences.add(`number ${no} of the match is found by other terms`);
    if (!this.#itemIds.inspect(() => undefined)) this.#differences.add('the index that finds items is damaged');
  }

  /** Lines that count, but for those of large files that are still brought in. */
  #ofLines(): void {
    const due = new Map(this.#sql.all(verifyMatchStatements.due, {}).map((row) => [row.statement_id, row.after]));
    for (const row of this.#sql.all(verifyMatchStatements.files, {})) {
      const upTo = due.get(row.statement_id) ?? Infinity;
      const read = (idx: number) => this.#sql.all(verifyMatchStatements.fileLines, { ...row, idx, most: AT_ONCE });
      for (const lines of rowPages(read, ({ idx }) => idx)) {
        for (const { line_id, idx } of lines) if (idx <= upTo) this.#isThere(lineNode(branded<LineId>(line_id)));
        this.#evidence.forget();
        if ((lines.at(-1)?.idx ?? 0) > upTo) break;
      }
    }
  }

  #ofTransfers(): void {
    const read = (position: number) => this.#sql.all(verifyMatchStatements.transfers, { position, most: AT_ONCE });
    for (const rows of rowPages(read, ({ position }) => position)) {
      for (const { transfer_id } of rows) this.#isThere(transferNode(branded<TransferId>(transfer_id)));
      this.#evidence.forget();
    }
  }

  #isThere(name: NodeName): void {
    const no = compared(
      () => this.#evidence.evidenceNumber(name),
      () => null,
    );
    if (no === null) this.#differences.add(`the match lacks ${name}`);
  }
}
