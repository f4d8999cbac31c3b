import * as E from 'fp-ts/lib/Either.js';
import type { BusinessDay } from '../../domain/business-day.ts';
import type { StatementId, StatementLine, UnnamedLine } from '../../domain/statement-line.ts';
import {
  accountPart,
  hasBalances,
  mayHaveByHalf,
  partLine,
  type AccountPart,
  type PartLine,
} from '../../statements/account-part.ts';
import type { Turns } from '../../statements/turns.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';

type Step<A> = Promise<E.Either<QueryFailure, A>>;

/** As many as a page of lines may have. */
export const LINES_AT_ONCE = 500;

/** What an account is known by within a file: its number and its currency. */
export const accountKey = ({ account, currency }: Pick<StatementLine, 'account' | 'currency'>): string =>
  JSON.stringify([account, currency]);

/** The lines of some accounts, read part by part, by what the accounts are known by. */
export const linesOfAccounts = async (
  count: number,
  keys: ReadonlySet<string>,
  read: (from: number) => Step<readonly UnnamedLine[]>,
  turns: Turns,
): Step<ReadonlyMap<string, readonly PartLine[]>> => {
  const byAccount = new Map<string, PartLine[]>();
  for (let from = 0; from < count;) {
    const lines = await read(from);
    if (E.isLeft(lines)) return lines;
    if (lines.right.length === 0) break;
    from += lines.right.length;
    for (const line of lines.right) {
      await turns();
      const key = accountKey(line);
      if (!keys.has(key)) continue;
      const its = byAccount.get(key);
      if (its === undefined) byAccount.set(key, [partLine(line)]);
      else its.push(partLine(line));
    }
  }
  return E.right(byAccount);
};

/** The part of an account that an imported file shows; null where it says no balances, or has all of these days whole. */
export const importedPart = async (
  { readModels }: Pick<QueryDependencies, 'readModels'>,
  id: StatementId,
  key: string,
  days: ReadonlySet<BusinessDay>,
  turns: Turns,
): Step<AccountPart | null> => {
  const statement = await readModels.statement(id)();
  if (E.isLeft(statement)) return statement;
  const said = statement.right?.accounts.find((account) => accountKey(account) === key);
  if (statement.right === null || said === undefined || !hasBalances(said)) return E.right(null);
  if (![...days].some((day) => mayHaveByHalf(said, day))) return E.right(null);
  const read = async (from: number): Step<readonly UnnamedLine[]> => {
    const page = await readModels.statementLines({ statementId: id, after: from - 1, limit: LINES_AT_ONCE })();
    return E.map(({ data }: { readonly data: readonly StatementLine[] }) => data)(page);
  };
  const lines = await linesOfAccounts(statement.right.lines, new Set([key]), read, turns);
  return E.isLeft(lines) ? lines : E.right(await accountPart(said, lines.right.get(key) ?? [], turns));
};
