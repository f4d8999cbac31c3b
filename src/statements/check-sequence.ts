import { createHash } from 'node:crypto';
import type { Decimal } from '../domain/decimal.ts';
import { accountBalances } from './account-balances.ts';
import type { BookedLines } from './booked-lines.ts';
import type { ReadStatement } from './read-statement.ts';
import { figureOf } from './statement-chain.ts';
import { statementsByAccount } from './statements-by-account.ts';
import { unreadable, type StatementUnreadable } from './unreadable.ts';

const figure = (balance: Decimal | null): string | null => (balance === null ? null : figureOf(balance));

/** A digest over what all lines say: as texts, those of a large file would be a multiple of it. */
const digestOf = (lines: BookedLines): string => {
  const digest = createHash('sha256');
  for (const line of lines) digest.update(`${JSON.stringify(line)}\n`);
  return digest.digest('hex');
};

/** What a statement with lines says, in one spelling; null for one that has no lines or no balance. */
const contentOf = ({ from, to, opening, closing, lines }: ReadStatement): string | null =>
  lines.length === 0 || (opening === null && closing === null)
    ? null
    : JSON.stringify([from, to, figure(opening), figure(closing), digestOf(lines)]);

/**
 * The refusal of a file whose statements of one account do not follow one another, in whichever order they stand; null where
 * they do, or say too little. Each may be right by itself while one of them is there twice, and all its bookings with it, or
 * one between them is missing.
 */
export const checkSequence = (statements: readonly ReadStatement[]): StatementUnreadable | null => {
  for (const its of statementsByAccount(statements)) {
    if (its.length < 2) continue;
    const account = its[0].account;
    const contents = its.flatMap((statement) => contentOf(statement) ?? []);
    if (new Set(contents).size < contents.length)
      return unreadable(null, 'statement', `a statement of the account ${account} is there twice`);
    if (accountBalances(its) === null)
      return unreadable(
        null,
        'balance',
        `the statements of the account ${account} do not follow one another: one is missing, or two are of the same bookings`,
      );
  }
  return null;
};
