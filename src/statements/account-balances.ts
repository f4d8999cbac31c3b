import type { Decimal } from '../domain/decimal.ts';
import { exactOf, exactOrd, plus } from '../domain/exact.ts';
import type { ReadStatement } from './read-statement.ts';
import { figureOf, stepsOf, trailOf, type Step } from './statement-chain.ts';
import { groupedByDays } from './statement-days.ts';
import type { AccountStatements } from './statements-by-account.ts';

/** What an account had before and behind all its statements of a file; null what the file does not tell. */
export type AccountBalances = { readonly opening: Decimal | null; readonly closing: Decimal | null };

const UNTOLD: AccountBalances = { opening: null, closing: null };

/** Where statements begin that come back to where they began: what no group of days gainsays. Null where several are left. */
const startByDays = (statements: readonly ReadStatement[], all: ReadonlySet<string>): string | null => {
  let left = all;
  for (const group of groupedByDays(statements)) {
    const trail = trailOf(stepsOf(group));
    // Days that contradict the balances tell nothing.
    if (trail === null) return null;
    left = left.intersection(trail.start);
    if (trail.end !== null) break;
  }
  const [start, other] = left;
  return start === undefined || other !== undefined ? null : start;
};

const balancesOfChain = (statements: readonly ReadStatement[], steps: readonly Step[]): AccountBalances | null => {
  const trail = trailOf(steps);
  if (trail === null) return null;
  const start =
    trail.end === null ? startByDays(statements, new Set(steps.map(({ from }) => from))) : [...trail.start][0];
  const end = trail.end ?? start;
  return {
    opening: steps.find(({ from }) => from === start)?.opening ?? null,
    closing: steps.find(({ to }) => to === end)?.closing ?? null,
  };
};

/** As far as days tell the order, else in that of the file; none where the lines do not lead from one to the other. */
const balancesByDays = (statements: AccountStatements): AccountBalances => {
  const groups = groupedByDays(statements);
  const dated = groups.flat();
  const inOrder: readonly ReadStatement[] = dated.length === statements.length ? dated : statements;
  const { opening } = inOrder[0] ?? UNTOLD;
  const { closing } = inOrder.at(-1) ?? UNTOLD;
  if (opening === null || closing === null) return { opening, closing };
  const reached = inOrder.reduce((sum, { lines }) => plus(sum, lines.sum), exactOf(opening));
  if (!exactOrd.equals(reached, exactOf(closing))) return UNTOLD;
  const figures = new Set(
    statements.flatMap((one) =>
      [one.opening, one.closing].flatMap((balance) => (balance === null ? [] : figureOf(balance))),
    ),
  );
  const isTold =
    figureOf(opening) !== figureOf(closing) ||
    figures.size === 1 ||
    (groups[0]?.length === 1 && groups.at(-1)?.length === 1);
  return isTold ? { opening, closing } : UNTOLD;
};

/**
 * What an account had before and behind all its statements of a file, in whichever order these stand: each opens with what
 * another one closed with (docs/spec/statements.md, What is refused). Null where they do not follow one another.
 */
export const accountBalances = (statements: AccountStatements): AccountBalances | null => {
  const steps = stepsOf(statements);
  return steps.length === statements.length ? balancesOfChain(statements, steps) : balancesByDays(statements);
};
