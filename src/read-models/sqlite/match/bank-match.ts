import type { StatementImportedData } from '../../../domain/own-event/statement-events.ts';
import type { Position } from '../../../domain/ids.ts';
import type { StatementLine } from '../../../domain/statement-line.ts';
import type { BankChange } from '../../bank-change.ts';
import type { ImportedStatement, LinesQuestion } from '../../bank-questions.ts';
import type { MatchChange } from '../../match-change.ts';
import type { BankTables } from './bank-tables.ts';

const AT_ONCE = 1_000;

/**
 * Lines of a file that stand behind one, in their order. A page is read behind the last line of the one before, by the
 * number that the line says: where its row is found by another one, that would be the same page for ever, so it is an error.
 */
export const linesBehind = (bank: Pick<BankTables, 'lines'>, question: LinesQuestion): readonly StatementLine[] => {
  const lines = bank.lines(question);
  let behind = question.after ?? -1;
  for (const { index, statementId } of lines) {
    if (index <= behind || statementId !== question.statementId)
      throw new Error(`a line of bank file ${question.statementId} is damaged; run "ramp-ledger replay"`);
    behind = index;
  }
  return lines;
};

/** The days that an imported file is of. */
export function* coverOf({
  statementId,
  accounts,
}: Pick<StatementImportedData, 'statementId' | 'accounts'>): Generator<MatchChange, void> {
  for (const { currency, coveredFrom: from, coveredTo: to } of accounts) {
    if (from !== null && to !== null) yield { _tag: 'Covered', statementId, currency, from, to };
  }
}

/** What an imported file says to the match: the days that it is of, and its lines, which count from now on. */
function* ofStatement(
  bank: BankTables,
  statement: Pick<StatementImportedData, 'statementId' | 'accounts'>,
): Generator<MatchChange, void> {
  const { statementId } = statement;
  yield* coverOf(statement);
  let after: number | null = null;
  for (;;) {
    const lines = linesBehind(bank, { statementId, after, limit: AT_ONCE });
    for (const line of lines) yield { _tag: 'Line', line };
    const last = lines.at(-1);
    if (last === undefined || lines.length < AT_ONCE) return;
    after = last.index;
  }
}

/** What a change of bank files and transfers says to the match, once the tables have it. A line says nothing before its file is whole. */
export function* matchChangesOf(bank: BankTables, change: BankChange): Generator<MatchChange, void> {
  if (change._tag === 'Imported') yield* ofStatement(bank, change.statement);
  if (change._tag !== 'Observed') return;
  const transfer = bank.transfer(change.transfer.transferId);
  if (transfer !== null) yield { _tag: 'Transfer', transfer };
}

/** The same of all that the tables hold, in the order in which it came. */
export function* allMatchChanges(bank: BankTables): Generator<MatchChange, void> {
  let after: Position | null = null;
  for (;;) {
    const statements: readonly ImportedStatement[] = bank.statements({ after, limit: AT_ONCE }).data;
    for (const statement of statements) yield* ofStatement(bank, statement);
    const last = statements.at(-1);
    if (last === undefined) break;
    after = last.position;
  }
  after = null;
  for (;;) {
    const transfers = bank.transfers({ chainId: null, txnHash: null, after, limit: AT_ONCE });
    for (const { position: _seen, ...transfer } of transfers) yield { _tag: 'Transfer', transfer };
    const last = transfers.at(-1);
    if (last === undefined) return;
    after = last.position;
  }
}
