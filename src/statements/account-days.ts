import type { BusinessDay } from '../domain/business-day.ts';
import type { Decimal } from '../domain/decimal.ts';
import type { AccountBalances } from './account-balances.ts';
import { figureOf } from './statement-chain.ts';
import { earliest, firstFrom, lastTo, latest } from './statement-days.ts';
import type { AccountStatements } from './statements-by-account.ts';

/** The days that the statements of an account say they are of; null where the one at that end says none. */
export type AccountDays = { readonly from: BusinessDay | null; readonly to: BusinessDay | null };

/** Statements that may stand at an end of the chain: those that have its balance there; all, where that is not told. */
const atEnd = (statements: AccountStatements, end: 'opening' | 'closing', balance: Decimal | null) =>
  balance === null
    ? statements
    : statements.filter((one) => one[end] !== null && figureOf(one[end]) === figureOf(balance));

/**
 * From when to when the statements of an account are, in whichever order they stand: the first and the last in their chain say it
 * (docs/spec/statements.md, Formats). The days of those between count only where these two contradict each other, as they do where
 * balances and days tell of two orders: a file is never from a day behind its last.
 */
export const accountDays = (statements: AccountStatements, { opening, closing }: AccountBalances): AccountDays => {
  const from = firstFrom(atEnd(statements, 'opening', opening));
  const to = lastTo(atEnd(statements, 'closing', closing));
  return from !== null && to !== null && from > to
    ? { from: earliest(statements.map((one) => one.from)), to: latest(statements.map((one) => one.to)) }
    : { from, to };
};
