import type { BusinessDay } from '../domain/business-day.ts';
import type { StatementAccount, StatementImportedData } from '../domain/own-event/statement-events.ts';
import type { ReadStatement } from './read-statement.ts';

/** What a file says as a whole, before anybody knows which of its lines are new. */
export type StatementFacts = Pick<
  StatementImportedData,
  'account' | 'currency' | 'from' | 'to' | 'opening' | 'closing' | 'lines' | 'pending' | 'accounts'
>;

const earliest = (days: readonly (BusinessDay | null)[]): BusinessDay | null =>
  days.filter((day) => day !== null).toSorted()[0] ?? null;

const latest = (days: readonly (BusinessDay | null)[]): BusinessDay | null =>
  days
    .filter((day) => day !== null)
    .toSorted()
    .at(-1) ?? null;

/** One account of a file: its statements follow each other, the first opens and the last closes it. */
const accountOf = (statements: readonly [ReadStatement, ...ReadStatement[]]): StatementAccount => {
  const [first] = statements;
  const last = statements.at(-1) ?? first;
  const lines = statements.flatMap((statement) => statement.lines.map(({ bookedOn }) => bookedOn));
  return {
    account: first.account,
    currency: first.currency,
    from: first.from,
    to: last.to,
    opening: first.opening,
    closing: last.closing,
    lines: lines.length,
    coveredFrom: earliest([...statements.map(({ from }) => from), ...lines]),
    coveredTo: latest([...statements.map(({ to }) => to), ...lines]),
  };
};

/** The one value that all have; null where they have several. */
const one = <A>(values: readonly A[]): A | null => (new Set(values).size === 1 ? (values[0] ?? null) : null);

/** What the statements of a file come to. Of a file of several accounts no one account, currency or balance is told. */
export const statementFacts = (statements: readonly ReadStatement[]): StatementFacts => {
  const byAccount = new Map<string, [ReadStatement, ...ReadStatement[]]>();
  for (const statement of statements) {
    const key = JSON.stringify([statement.account, statement.currency]);
    const known = byAccount.get(key);
    if (known === undefined) byAccount.set(key, [statement]);
    else known.push(statement);
  }
  const accounts = [...byAccount.values()].map(accountOf);
  const only = accounts.length === 1 ? (accounts[0] ?? null) : null;
  return {
    account: one(accounts.map(({ account }) => account)),
    currency: one(accounts.map(({ currency }) => currency)),
    from: only === null ? earliest(accounts.map(({ from }) => from)) : only.from,
    to: only === null ? latest(accounts.map(({ to }) => to)) : only.to,
    opening: only?.opening ?? null,
    closing: only?.closing ?? null,
    lines: accounts.reduce((sum, { lines }) => sum + lines, 0),
    pending: statements.reduce((sum, { pending }) => sum + pending, 0),
    accounts,
  };
};
