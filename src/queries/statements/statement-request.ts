import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { isProfileName, type ProfileName, type StatementProfile } from '../../domain/statement-profile.ts';
import type { Author } from '../../domain/own-event/own-metadata.ts';
import { recogniseFormat, STATEMENT_FORMATS } from '../../statements/statement-format.ts';
import { knownCurrency } from '../../statements/currency.ts';
import { unreadable } from '../../statements/unreadable.ts';
import { illFormed, type QueryFailure } from '../failure/query-failure.ts';
import { anyText, oneOf, parameter, type Query } from '../parameters/parameters.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { importStatement, type Imported } from './import-statement.ts';
import { profileNamed } from './profiles.ts';

/** A bank file may have so many bytes. */
export const MOST_FILE_BYTES = 16 * 1_048_576;

const LONGEST_NAME = 255;
const LONGEST_ACCOUNT = 128;

const textUpTo = (most: number) => ({
  expected: `a text of up to ${most} characters`,
  schema: { type: 'string', minLength: 1, maxLength: most },
  read: (text: string) => (text.trim() === '' || text.length > most || text.includes('\0') ? null : text),
});

/** The parameters of an import. */
export const IMPORT_PARAMETERS = {
  format: parameter(
    'The kind of file; recognised by what it begins with where nothing is said.',
    oneOf(STATEMENT_FORMATS),
  ),
  account: parameter('The account, where the file names none or names it otherwise.', textUpTo(LONGEST_ACCOUNT)),
  currency: parameter('The currency, where a table names none.', {
    ...anyText,
    expected: 'three letters of ISO 4217',
    read: knownCurrency,
  }),
  profile: parameter('The profile by which a table (CSV, XLSX) is read.', {
    expected: 'the name of a profile: letters, digits, ".", "_" and "-"',
    schema: { type: 'string', pattern: String.raw`^[\w.-]{1,64}$` },
    read: (text): ProfileName | null => (isProfileName(text) ? text : null),
  }),
  name: parameter('What the file is called.', textUpTo(LONGEST_NAME)),
} as const;

type Deps = Pick<QueryDependencies, 'store' | 'readModels' | 'statementFiles' | 'importTurn' | 'drawLineKey'>;

const UNKNOWN = unreadable(
  1,
  'format',
  'it is none of camt.053, MT940, OFX and XLSX; for CSV, name a profile that says which column is what (profile=; on the command line --profile NAME, made by ramp-ledger statement profile)',
);

/**
 * Imports a bank file as the parameters say (docs/spec/statements.md, Importing).
 *
 * @param columns what the name of the profile is to stand for, once the file was read by it; null: what it stands for
 */
export const importRequest = (
  deps: Deps,
  { format, account, currency, profile, name }: Query<typeof IMPORT_PARAMETERS>,
  bytes: Uint8Array,
  author: Author,
  columns: StatementProfile | null = null,
): TE.TaskEither<QueryFailure, Imported> =>
  pipe(
    TE.fromEither(
      bytes.length > MOST_FILE_BYTES
        ? E.left<QueryFailure, null>(unreadable(null, 'size', `it has more than ${MOST_FILE_BYTES} bytes`))
        : E.right(null),
    ),
    TE.chain((): TE.TaskEither<QueryFailure, StatementProfile | null> => {
      if (profile === null) return TE.right(null);
      return columns === null ? profileNamed(deps, profile) : TE.right(columns);
    }),
    TE.chain((known): TE.TaskEither<QueryFailure, Imported> => {
      const recognised = format ?? recogniseFormat(bytes, known !== null);
      if (recognised === null) return TE.left(UNKNOWN);
      const isTable = recognised === 'csv' || recognised === 'xlsx';
      if (isTable && known === null) return TE.left(illFormed('profile', 'the profile by which the table is read'));
      const reading = {
        format: recognised,
        profile: known,
        account: account ?? (isTable ? profile : null),
        currency,
      };
      const keepsProfile = isTable && columns !== null;
      return importStatement(deps, { bytes, reading, name, profile: isTable ? profile : null, keepsProfile, author });
    }),
  );
