import { branded } from '../domain/brand.ts';
import type { LineKey } from '../domain/line-key.ts';
import { sha256 } from '../domain/sha256.ts';
import type { AccountName, BankLine, StatementId, UnnamedLine } from '../domain/statement-line.ts';
import { linesOf } from './booked-lines.ts';
import { keptLength } from './bounded-line.ts';
import { lineNaming, type LineNames } from './line-ids.ts';
import { LinePlaces } from './line-places.ts';
import { LinesInOrder } from './lines-in-order.ts';
import { readStatementFile, type StatementReading } from './read-statement-file.ts';
import { statementFacts, type StatementFacts } from './statement-facts.ts';
import { isUnreadable, unreadable, type StatementUnreadable } from './unreadable.ts';

/** A bank file that was read whole, and its lines, which are many. */
export type OpenedStatement = {
  readonly statementId: StatementId;
  readonly facts: StatementFacts;
  /** Some lines from one on, in the order of the file: so many, or fewer where they are long, at least one where there is one. */
  readonly lines: (from: number, most: number) => readonly UnnamedLine[];
  /** The ids that so many lines from one on may have, as if the file were the only one. */
  readonly names: (key: LineKey, from: number, most: number) => readonly LineNames[];
};

/** What lines that are handed over together may have of words, in UTF-16 units: whoever takes them has other things to do. */
const LONGEST_PART = 1_048_576;

/** So many of these lines as are handed over together. */
const together = (lines: readonly BankLine[]): number => {
  let [length, many] = [0, 0];
  for (const line of lines) {
    length += keptLength(line);
    if (many > 0 && length > LONGEST_PART) break;
    many += 1;
  }
  return many;
};

/**
 * Reads a bank file whole. An account that is named takes the place of the one that the file names; it names none of a file
 * that has several.
 */
export const openStatement = async (
  bytes: Uint8Array,
  reading: StatementReading,
): Promise<OpenedStatement | StatementUnreadable> => {
  const read = await readStatementFile(bytes, reading);
  if (isUnreadable(read)) return read;
  const isTable = reading.format === 'csv' || reading.format === 'xlsx';
  const named = reading.account?.trim() ?? '';
  const account = isTable || named === '' ? null : branded<AccountName>(named);
  if (account !== null && new Set(read.map((statement) => statement.account)).size > 1)
    return unreadable(null, 'account', 'the file is of several accounts, so no one can be named for it');
  const statements =
    account === null ? read : read.map((one) => ({ ...one, account, lines: linesOf(one.lines, { account }) }));
  const statementId = sha256(bytes);
  const facts = statementFacts(statements);
  const places = new LinePlaces(facts.lines);
  for (const { lines } of statements) for (const line of lines) places.add(line);
  const inOrder = new LinesInOrder(statements.map(({ lines }) => lines));
  return {
    statementId,
    facts,
    lines: (from, most) => {
      const some = inOrder.from(from, most);
      return some.slice(0, together(some)).map((line, at) => ({ statementId, index: from + at, ...line }));
    },
    names: (key, from, most) => places.places(from, most).map(lineNaming(key)),
  };
};
