import type { StatementAccount, StatementImportedData } from '../../src/domain/own-event/statement-events.ts';
import { sha256 } from '../../src/domain/sha256.ts';

/** What is noted of a bank file without lines, but for its name and its accounts. */
export const importedFile = (name: string, accounts: readonly StatementAccount[]): StatementImportedData => ({
  statementId: sha256(name),
  reading: sha256(''),
  name,
  format: 'mt940',
  profile: null,
  bytes: 1,
  account: null,
  currency: null,
  from: null,
  to: null,
  opening: null,
  closing: null,
  lines: 0,
  newLines: 0,
  duplicateLines: 0,
  pending: 0,
  accounts,
});
