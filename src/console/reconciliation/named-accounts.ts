import type { StatementAccount } from '../../domain/own-event/statement-events.ts';

/** A file may have a thousand, and a page lists fifty files. */
const MOST_NAMED = 5;

/** The accounts of a file by their names, the first of many. */
export const namedAccounts = (accounts: readonly Pick<StatementAccount, 'account'>[]): string => {
  const names = [...new Set(accounts.map(({ account }) => account))];
  const more = names.length - MOST_NAMED;
  return more > 0 ? `${names.slice(0, MOST_NAMED).join(', ')} and ${more} more` : names.join(', ');
};
