import { addAll } from '../../domain/add-all.ts';
import * as E from 'fp-ts/lib/Either.js';
import type { BusinessDay } from '../../domain/business-day.ts';
import { exactOf, plainText } from '../../domain/exact.ts';
import type { StatementAccount } from '../../domain/own-event/statement-events.ts';
import type { Position } from '../../domain/ids.ts';
import type { StatementId } from '../../domain/statement-line.ts';
import { hasBalances, type AccountPart } from '../../statements/account-part.ts';
import type { FileEnds } from '../../statements/day-part.ts';
import type { ImportedStatement } from '../../read-models/bank-questions.ts';
import type { Page } from '../../read-models/read-models.ts';
import type { Turns } from '../../statements/turns.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { accountKey } from './lines-of-accounts.ts';

type Deps = Pick<QueryDependencies, 'readModels'>;
type Step<A> = Promise<E.Either<QueryFailure, A>>;

/** A file that leads an account from one balance to another one. */
type Lead = { readonly statementId: StatementId; readonly opening: string; readonly closing: string };

/** Days that files are asked for, the first and the last of them. */
type Span = readonly [BusinessDay, BusinessDay];

const leadsOf = (
  statementId: StatementId,
  { opening, closing, coveredFrom, coveredTo }: StatementAccount,
  [first, last]: Span,
): readonly Lead[] =>
  opening === null ||
  closing === null ||
  (coveredFrom !== null && coveredFrom > last) ||
  (coveredTo !== null && coveredTo < first)
    ? []
    : [{ statementId, opening: plainText(exactOf(opening)), closing: plainText(exactOf(closing)) }];

const FILES_AT_ONCE = 100;

/** All imported files that lead an account from one balance to another one within some days: there is no index of balances. */
const leadsIn = async ({ readModels }: Deps, key: string, span: Span, turns: Turns): Step<readonly Lead[]> => {
  const leads: Lead[] = [];
  let after: Position | null = null;
  for (let more = true; more;) {
    const page: E.Either<QueryFailure, Page<ImportedStatement>> = await readModels.statements({
      after,
      limit: FILES_AT_ONCE,
    })();
    if (E.isLeft(page)) return page;
    for (const { statementId, accounts, position } of page.right.data) {
      await turns();
      after = position;
      for (const said of accounts)
        if (accountKey(said) === key && hasBalances(said)) addAll(leads, leadsOf(statementId, said, span));
    }
    more = page.right.more && page.right.data.length > 0;
  }
  return E.right(leads);
};

/** The balances that some balances lead to, over any number of files. */
const reachedFrom = async (
  begin: readonly string[],
  leads: readonly (readonly [from: string, to: string])[],
  turns: Turns,
): Promise<ReadonlySet<string>> => {
  const next = Map.groupBy(leads, ([from]) => from);
  const reached = new Set(begin);
  // What is added to a set while it is gone through is gone through too.
  for (const balance of reached) {
    for (const [, to] of next.get(balance) ?? []) {
      await turns();
      reached.add(to);
    }
  }
  return reached;
};

const endsOf = (parts: readonly AccountPart[]): readonly FileEnds[] =>
  parts.flatMap((part) => [...part.values()].slice(0, 1).map(({ file }) => file));

/** Whether balances within a file may be doubted, and files in between prove what they don't. */
const mayBeDoubted = (parts: readonly AccountPart[]): boolean =>
  parts.some((part) =>
    part.values().some(({ hasBefore, hasBehind, datedBackTo }) => hasBefore || hasBehind || datedBackTo.size > 0),
  );

/**
 * The files in between that lead from where one of these parts of an account ends to where another one begins, whatever lines they have
 * (docs/spec/statements.md, Equal lines). All files are looked through, and only where that may tell something.
 *
 * @param days those that are in question
 */
export const filesBetween = async (
  deps: Deps,
  key: string,
  parts: readonly AccountPart[],
  days: ReadonlySet<BusinessDay>,
  turns: Turns,
): Step<ReadonlySet<StatementId>> => {
  const all = [...days, ...parts.flatMap((part) => [...part.keys()])].toSorted();
  const [first, last] = [all[0], all.at(-1)];
  if (first === undefined || last === undefined || parts.length < 2 || !mayBeDoubted(parts)) return E.right(new Set());
  const leads = await leadsIn(deps, key, [first, last], turns);
  if (E.isLeft(leads)) return leads;
  const ends = endsOf(parts);
  const behind = await reachedFrom(
    ends.map(({ closing }) => plainText(closing)),
    leads.right.map(({ opening, closing }) => [opening, closing]),
    turns,
  );
  const before = await reachedFrom(
    ends.map(({ opening }) => plainText(opening)),
    leads.right.map(({ opening, closing }) => [closing, opening]),
    turns,
  );
  return E.right(
    new Set(
      leads.right.flatMap(({ statementId, opening, closing }) =>
        behind.has(opening) && before.has(closing) ? [statementId] : [],
      ),
    ),
  );
};
