import type { StatementImportedData } from '../../domain/own-event/statement-events.ts';

/** What a file is imported as; null where it is of several accounts, or of several currencies. */
export type ImportedAs = Pick<StatementImportedData, 'account' | 'currency'>;

/** What a file was imported as, and by which profile. */
export type ImportedBefore = Pick<StatementImportedData, 'account' | 'currency' | 'profile'>;

/** What somebody says of a file beside its bytes; null: nothing. */
type Said = { readonly account: string | null; readonly profile: string | null };

/** Why a file that was imported before is not imported as something else, and what to do about it. */
export const SAME_BYTES =
  'it has the same bytes; with an empty line more at its end, or saved again, it is a file of its own';

/**
 * What a file that was imported before was to be imported as now; null: as it was.
 *
 * @param readAs what it is read as now. Of a table whose account nobody names that is the name of its profile: under the same
 *   profile, or where none is named yet, nobody asks for another account by that
 */
export const askedOtherwise = (was: ImportedBefore, readAs: ImportedAs, said: Said): ImportedAs | null => {
  const isNamed = said.account !== null || (said.profile !== null && said.profile !== was.profile);
  const account = isNamed ? readAs.account : was.account;
  return account === was.account && readAs.currency === was.currency ? null : { account, currency: readAs.currency };
};
