import * as t from 'io-ts';
import type { StatementImportedData } from '../../domain/own-event/statement-events.ts';
import type { Position } from '../../domain/ids.ts';
import type { StatementLine } from '../../domain/statement-line.ts';
import { described } from '../../openapi/described.ts';
import type { ImportedStatement } from '../../read-models/bank-questions.ts';
import type { PersonalData } from '../masking/personal-data.ts';
import { shownText } from '../masking/shown-text.ts';
import { shownReferences } from './shown-references.ts';
import { pageOf } from '../resources/page.ts';
import { count, instant, oneOfWords, sha256, text, textOrNull } from '../resources/values.ts';

const OF_ACCOUNT = {
  from: textOrNull('The first day that the file is of, as it says; null where it does not.'),
  to: textOrNull('The last day that the file is of, as it says; null where it does not.'),
  opening: textOrNull('What the account had before, negative when overdrawn; null where the file does not say.'),
  closing: textOrNull('What the account has after, negative when overdrawn; null where the file does not say.'),
};

const AccountResource = t.strict(
  {
    account: text('The account as the bank writes it.'),
    currency: text('Its currency.'),
    ...OF_ACCOUNT,
    lines: count('How many of the lines are its.'),
  },
  'StatementAccount',
);

const OF_IMPORT = {
  statementId: sha256('The SHA-256 of the file.'),
  account: textOrNull('The account; null where the file is of several.'),
  currency: textOrNull('Its currency; null where the file is of several.'),
  ...OF_ACCOUNT,
  lines: count('How many lines the file has.'),
  newLines: count('How many of them no other file had brought before.'),
  duplicateLines: count('How many of them another file had brought before; they count once.'),
  pending: count('How many entries are not booked yet, and were left out.'),
  format: text('What kind of file it is.'),
  name: textOrNull('What the file was called.'),
  profile: textOrNull('The profile that a table was read by.'),
  accounts: described(t.readonlyArray(AccountResource), 'What the file says of each account.'),
};

/** What an import is answered with (docs/spec/statements.md, Importing). */
export const ImportResource = t.strict(
  { ...OF_IMPORT, position: text('Its place in the whole log: what includes it includes all lines.') },
  'StatementImport',
);

export const StatementPageResource = pageOf(
  t.strict(
    {
      ...OF_IMPORT,
      position: text('Its place in the whole log: opaque.'),
      importedAt: instant('When it was imported.'),
      importedBy: text('The id of the key that imported it, or `command-line`.'),
    },
    'Statement',
  ),
  'StatementPage',
);

const LineResource = t.strict(
  {
    lineId: sha256('Names the line, in whichever file it comes.'),
    statementId: sha256('The file.'),
    index: count('Which line of the file it is, from 0.'),
    account: text('The account as the bank writes it.'),
    bookedOn: text('The day of the booking, as the bank wrote it.'),
    valueOn: text('The value date, as the bank wrote it.'),
    amount: text('Never negative, with the decimals that came.'),
    currency: text('The currency.'),
    direction: oneOfWords<string>(['in', 'out'], 'What it did to the account.'),
    reversal: described(t.boolean, 'Whether it takes another booking back.'),
    references: described(
      t.readonlyArray(t.string),
      'What may name an order or a payout; some are masked without `pii:read`.',
    ),
    ownReferences: described(
      t.readonlyArray(t.string),
      'Those of them by which the bank names its own entry, and nobody else a payment.',
    ),
    text: text('What the bank says of it; masked without `pii:read`.'),
    raw: textOrNull('The line as it stood in the file; null without `pii:read`.'),
  },
  'StatementLine',
);

export const LinePageResource = pageOf(LineResource, 'StatementLinePage');

/** Whoever handed a file in may have called it by anything. */
const importOf = (statement: StatementImportedData, personal: PersonalData) => ({
  statementId: statement.statementId,
  account: statement.account,
  currency: statement.currency,
  from: statement.from,
  to: statement.to,
  opening: statement.opening,
  closing: statement.closing,
  lines: statement.lines,
  newLines: statement.newLines,
  duplicateLines: statement.duplicateLines,
  pending: statement.pending,
  format: statement.format,
  name: statement.name === null ? null : shownText(statement.name, personal),
  profile: statement.profile,
  accounts: statement.accounts.map(({ account, currency, from, to, opening, closing, lines }) => {
    return { account, currency, from, to, opening, closing, lines };
  }),
});

export const importResource = (
  statement: StatementImportedData,
  position: Position,
  personal: PersonalData,
): t.TypeOf<typeof ImportResource> => ({ ...importOf(statement, personal), position });

export const statementResource = (
  statement: ImportedStatement,
  personal: PersonalData,
): t.TypeOf<typeof StatementPageResource>['data'][number] => ({
  ...importOf(statement, personal),
  position: statement.position,
  importedAt: statement.at,
  importedBy: statement.by,
});

const MASK = '***';

const NOTHING_MATCHED: ReadonlySet<string> = new Set();

/**
 * A line as callers see it: what the bank wrote is personal data, references and accounts are what finance matches by.
 *
 * @param matched references of the orders that it is matched with; left out where it stands by itself
 */
export const lineResource = (
  line: StatementLine,
  personal: PersonalData,
  matched: ReadonlySet<string> = NOTHING_MATCHED,
) => {
  const shown = shownReferences(line, personal, matched);
  return {
    lineId: line.lineId,
    statementId: line.statementId,
    index: line.index,
    account: line.account,
    bookedOn: line.bookedOn,
    valueOn: line.valueOn,
    amount: line.amount,
    currency: line.currency,
    direction: line.direction,
    reversal: line.reversal,
    references: line.references.map(shown),
    ownReferences: (line.ownReferences ?? []).map(shown),
    text: personal === 'shown' || line.text === '' ? line.text : MASK,
    raw: personal === 'shown' ? line.raw : null,
  };
};
