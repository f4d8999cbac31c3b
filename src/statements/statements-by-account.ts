import type { ReadStatement } from './read-statement.ts';

/** Statements of one account and one currency, in the order of the file. */
export type AccountStatements = readonly [ReadStatement, ...ReadStatement[]];

/** The statements of a file by their accounts, which come in the order in which the file first names them. */
export const statementsByAccount = (statements: readonly ReadStatement[]): readonly AccountStatements[] => {
  const byAccount = new Map<string, [ReadStatement, ...ReadStatement[]]>();
  for (const statement of statements) {
    const key = JSON.stringify([statement.account, statement.currency]);
    const known = byAccount.get(key);
    if (known === undefined) byAccount.set(key, [statement]);
    else known.push(statement);
  }
  return [...byAccount.values()];
};
