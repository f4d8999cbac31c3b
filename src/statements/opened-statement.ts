import { branded } from '../domain/brand.ts';
import type { LineKey } from '../domain/line-key.ts';
import { sha256 } from '../domain/sha256.ts';
import type { AccountName, BankLine, StatementId, UnnamedLine } from '../domain/statement-line.ts';
import { boundedLine, keptLength, mostKept } from './bounded-line.ts';
import { lineNaming, linePlacer, type LineNames, type LinePlace } from './line-ids.ts';
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

const partOf = (lines: readonly UnnamedLine[], from: number, most: number): readonly UnnamedLine[] => {
  let length = 0;
  let to = from;
  for (const line of lines.slice(from, from + most)) {
    length += keptLength(line);
    if (to > from && length > LONGEST_PART) break;
    to += 1;
  }
  return lines.slice(from, to);
};

const withAccount = (line: BankLine, account: AccountName | null): BankLine =>
  account === null ? line : { ...line, account };

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
    account === null
      ? read
      : read.map((statement) => ({
          ...statement,
          account,
          lines: statement.lines.map((line) => withAccount(line, account)),
        }));
  const statementId = sha256(bytes);
  const placeOf = linePlacer();
  const lines: UnnamedLine[] = [];
  const places: LinePlace[] = [];
  const most = mostKept(bytes.length);
  let length = 0;
  for (const line of statements.flatMap((statement) => statement.lines)) {
    const kept = boundedLine(line);
    length += keptLength(kept);
    if (length > most)
      return unreadable(
        null,
        'size',
        'its lines repeat so many texts that they would take far more room than the file',
      );
    places.push(placeOf(kept));
    lines.push({ statementId, index: lines.length, ...kept });
  }
  return {
    statementId,
    facts: statementFacts(statements),
    lines: (from, count) => partOf(lines, from, count),
    names: (key, from, count) => places.slice(from, from + count).map(lineNaming(key)),
  };
};
