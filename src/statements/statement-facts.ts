import type { StatementAccount, StatementImportedData } from '../domain/own-event/statement-events.ts';
import type { StatementPage } from '../domain/statement-page.ts';
import { accountBalances } from './account-balances.ts';
import { accountDays } from './account-days.ts';
import type { ReadStatement } from './read-statement.ts';
import { earliest, latest } from './statement-days.ts';
import { statementsByAccount, type AccountStatements } from './statements-by-account.ts';

/** What a file says as a whole, before anybody knows which of its lines are new. */
export type StatementFacts = Pick<
  StatementImportedData,
  'account' | 'currency' | 'from' | 'to' | 'opening' | 'closing' | 'lines' | 'pending' | 'accounts'
>;

/** What the one statement of an account says of itself as a page; null where it is whole, or there are several. */
const pageOf = ([{ isFollowing, isFollowed, numbered }, ...more]: AccountStatements): StatementPage | null =>
  more.length > 0 || !(isFollowing || isFollowed) ? null : { isFollowing, isFollowed, numbered };

/** One account of a file, whose statements may stand in any order. */
const accountOf = (statements: AccountStatements): StatementAccount => {
  const [{ account, currency }] = statements;
  // Statements that do not follow one another are refused before.
  const balances = accountBalances(statements) ?? { opening: null, closing: null };
  const page = pageOf(statements);
  return {
    account,
    currency,
    ...accountDays(statements, balances),
    opening: balances.opening,
    closing: balances.closing,
    lines: statements.reduce((sum, { lines }) => sum + lines.length, 0),
    coveredFrom: earliest(statements.flatMap(({ from, lines }) => [from, lines.firstDay])),
    coveredTo: latest(statements.flatMap(({ to, lines }) => [to, lines.lastDay])),
    ...(page === null ? {} : { page }),
  };
};

/** The one value that all have; null where they have several. */
const one = <A>(values: readonly A[]): A | null => (new Set(values).size === 1 ? (values[0] ?? null) : null);

/** What the statements of a file come to. Of a file of several accounts no one account, currency or balance is told. */
export const statementFacts = (statements: readonly ReadStatement[]): StatementFacts => {
  const accounts = statementsByAccount(statements).map(accountOf);
  const only = accounts.length === 1 ? (accounts[0] ?? null) : null;
  return {
    account: one(accounts.map(({ account }) => account)),
    currency: one(accounts.map(({ currency }) => currency)),
    from: earliest(accounts.map(({ from }) => from)),
    to: latest(accounts.map(({ to }) => to)),
    opening: only?.opening ?? null,
    closing: only?.closing ?? null,
    lines: accounts.reduce((sum, { lines }) => sum + lines, 0),
    pending: statements.reduce((sum, { pending }) => sum + pending, 0),
    accounts,
  };
};
