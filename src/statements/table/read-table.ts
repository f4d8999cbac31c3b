import { branded } from '../../domain/brand.ts';
import type { AccountName, BankLine } from '../../domain/statement-line.ts';
import { knownCurrency } from '../currency.ts';
import type { ReadStatement } from '../read-statement.ts';
import { isUnreadable, unreadable, type StatementUnreadable } from '../unreadable.ts';
import type { StatementProfile } from '../../domain/statement-profile.ts';
import { debitsOfBothSigns } from './debit-signs.ts';
import { tableColumns } from './table-columns.ts';
import { dateReader } from './table-date.ts';
import { tableLine } from './table-line.ts';
import type { TableRow } from './table-row.ts';

/** The lines of one account and currency as a statement: a table says neither its days nor its balances. */
const statementOf = (lines: readonly [BankLine, ...BankLine[]]): ReadStatement => {
  const days = lines.map(({ bookedOn }) => bookedOn).toSorted();
  return {
    account: lines[0].account,
    currency: lines[0].currency,
    from: days.at(0) ?? null,
    to: days.at(-1) ?? null,
    opening: null,
    closing: null,
    isFollowing: false,
    isFollowed: false,
    numbered: null,
    lines,
    pending: 0,
  };
};

/**
 * Reads the rows of a bank's table by a profile, the first of them being the header (docs/spec/statements.md, Profiles).
 *
 * @param account the account where no column names it
 * @param currency its currency where no column names it
 */
export const readTable = (
  rows: readonly TableRow[],
  profile: StatementProfile,
  account: string | null,
  currency: string | null,
): readonly ReadStatement[] | StatementUnreadable => {
  const [header, ...body] = rows;
  if (header === undefined) return unreadable(null, 'header', 'the file has no header');
  const columns = tableColumns(header, profile);
  if (isUnreadable(columns)) return columns;
  const date = dateReader(profile.dateFormat);
  if (date === null) return unreadable(null, 'dateFormat', 'the profile has no readable format of dates');
  const stated = columns.currency === null && profile.currency !== null ? profile.currency : currency;
  const reading = {
    profile,
    columns,
    date,
    account: account === null || account.trim() === '' ? null : branded<AccountName>(account.trim()),
    currency: stated === null ? null : knownCurrency(stated),
  };
  const mixed = debitsOfBothSigns(body, columns, profile);
  if (mixed !== null) return mixed;
  const byAccount = new Map<string, [BankLine, ...BankLine[]]>();
  for (const row of body) {
    const line = tableLine(row, reading);
    if (isUnreadable(line)) return line;
    const key = JSON.stringify([line.account, line.currency]);
    const known = byAccount.get(key);
    if (known === undefined) byAccount.set(key, [line]);
    else known.push(line);
  }
  const statements = [...byAccount.values()].map(statementOf);
  return statements.length === 0 ? unreadable(header.line, 'rows', 'there is no line behind the header') : statements;
};
