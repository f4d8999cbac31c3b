import type { ReadStatement } from './read-statement.ts';
import { unreadable, type StatementUnreadable } from './unreadable.ts';

/**
 * So many accounts may a file be of; the largest banks' collections have some hundred. What is said of each is in one event, in
 * each list of files and on pages, and a file of 16 MiB has room for 180,000.
 */
export const MOST_ACCOUNTS = 1_000;

/** So long may an account's name be, in UTF-16 units: an IBAN has 34. It is on each line of the account, too, and in each event. */
export const LONGEST_ACCOUNT = 256;

/** The accounts of one file so far, each in each of its currencies. */
export class FileAccounts {
  readonly #known = new Set<string>();

  /**
   * Takes an account, or refuses the file that has too many, or one whose name is no name.
   *
   * @param line where the file names it
   * @param field the bank's name of what names it
   */
  take(
    { account, currency }: Pick<ReadStatement, 'account' | 'currency'>,
    line: number,
    field: string,
  ): StatementUnreadable | null {
    if (account.length > LONGEST_ACCOUNT)
      return unreadable(
        line,
        field,
        `the account has a name of ${account.length} characters, of which ${LONGEST_ACCOUNT} are read`,
      );
    this.#known.add(JSON.stringify([account, currency]));
    return this.#known.size > MOST_ACCOUNTS
      ? unreadable(
          line,
          field,
          `a file has ${MOST_ACCOUNTS.toLocaleString('en')} accounts at the most: ask the bank for several files`,
        )
      : null;
  }
}
