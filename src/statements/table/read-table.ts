import { branded } from '../../domain/brand.ts';
import type { AccountName, CurrencyCode } from '../../domain/statement-line.ts';
import { knownCurrency } from '../currency.ts';
import { FileAccounts } from '../file-accounts.ts';
import type { LineKeeper } from '../line-keeper.ts';
import type { PackedLines } from '../packed-lines.ts';
import type { ReadStatement } from '../read-statement.ts';
import { isUnreadable, unreadable, type StatementUnreadable } from '../unreadable.ts';
import type { StatementProfile } from '../../domain/statement-profile.ts';
import { debitSigns } from './debit-signs.ts';
import { directionKind } from './direction-kind.ts';
import { tableColumns } from './table-columns.ts';
import { dateReader } from './table-date.ts';
import { tableLine } from './table-line.ts';
import type { TableRow } from './table-row.ts';
import { unreadDirection } from './unread-direction.ts';

/** The lines of one account and currency. */
type OfAccount = { readonly account: AccountName; readonly currency: CurrencyCode; readonly lines: PackedLines };

/** Lines of an account as a statement: a table says neither its days nor its balances. */
const statementOf = ({ account, currency, lines }: OfAccount): ReadStatement => ({
  account,
  currency,
  from: lines.firstDay,
  to: lines.lastDay,
  opening: null,
  closing: null,
  isFollowing: false,
  isFollowed: false,
  numbered: null,
  lines,
  pending: 0,
});

/** The rows of one table, behind its header. */
type Body = {
  readonly take: (row: TableRow) => void;
  readonly end: () => readonly ReadStatement[] | StatementUnreadable;
};

const REFUSED = (refusal: StatementUnreadable): Body => ({ take: () => undefined, end: () => refusal });

const bodyOf = (
  header: TableRow,
  profile: StatementProfile,
  account: string | null,
  currency: string | null,
  keeper: LineKeeper,
): Body => {
  const columns = tableColumns(header, profile);
  if (isUnreadable(columns)) return REFUSED(columns);
  const date = dateReader(profile.dateFormat);
  if (date === null) return REFUSED(unreadable(null, 'dateFormat', 'the profile has no readable format of dates'));
  const stated = columns.currency === null && profile.currency !== null ? profile.currency : currency;
  const reading = {
    profile,
    columns,
    date,
    account: account === null || account.trim() === '' ? null : branded<AccountName>(account.trim()),
    currency: stated === null ? null : knownCurrency(stated),
  };
  const signOf = debitSigns(columns, profile);
  const kindOf = directionKind(columns, profile);
  const unread = unreadDirection(header, columns);
  const byAccount = new Map<string, OfAccount>();
  const accounts = new FileAccounts();
  // That debits have both signs, or directions are of two kinds, is told before anything that is wrong with a row by itself, wherever it stands.
  let mixed: StatementUnreadable | null = null;
  let wrong: StatementUnreadable | null = null;
  return {
    take: (row) => {
      mixed ??= signOf(row) ?? kindOf(row);
      if (mixed !== null || wrong !== null) return;
      const line = tableLine(row, reading);
      if (isUnreadable(line)) {
        wrong = line;
        return;
      }
      const key = JSON.stringify([line.account, line.currency]);
      let its = byAccount.get(key);
      if (its === undefined) {
        wrong = accounts.take(line, row.line, profile.account ?? 'account');
        if (wrong !== null) return;
        its = { account: line.account, currency: line.currency, lines: keeper.begin() };
        byAccount.set(key, its);
      }
      its.lines.add(line);
      unread.take(row, line);
    },
    end: () => {
      const refusal = mixed ?? wrong ?? unread.end();
      if (refusal !== null) return refusal;
      return byAccount.size === 0
        ? unreadable(header.line, 'rows', 'there is no line behind the header')
        : [...byAccount.values()].map(statementOf);
    },
  };
};

/**
 * Reads the rows of a bank's table by a profile as they come, the first of them being the header (docs/spec/statements.md,
 * Profiles).
 *
 * @param account the account where no column names it
 * @param currency its currency where no column names it
 * @param damaged what else is wrong with a row behind the header, which is told first, wherever it stands
 */
export const tableReader = (
  profile: StatementProfile,
  account: string | null,
  currency: string | null,
  keeper: LineKeeper,
  damaged: (header: TableRow, row: TableRow) => StatementUnreadable | null = () => null,
): Body => {
  let header: TableRow | null = null;
  let body = REFUSED(unreadable(null, 'header', 'the file has no header'));
  let damage: StatementUnreadable | null = null;
  return {
    take: (row) => {
      if (header === null) {
        header = row;
        body = bodyOf(row, profile, account, currency, keeper);
        return;
      }
      damage ??= damaged(header, row);
      if (damage === null) body.take(row);
    },
    end: () => damage ?? body.end(),
  };
};
