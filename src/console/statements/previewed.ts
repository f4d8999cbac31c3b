import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { isProfileName, type StatementProfile } from '../../domain/statement-profile.ts';
import type { UnnamedLine } from '../../domain/statement-line.ts';
import type { QueryFailure } from '../../queries/failure/query-failure.ts';
import type { PersonalData } from '../../queries/masking/personal-data.ts';
import { countedLines } from '../../queries/statements/counted-lines.ts';
import type { OpenedFile } from '../../queries/statements/statement-files.ts';
import { keptLineKey } from '../../queries/statements/line-key.ts';
import { profileNamed } from '../../queries/statements/profiles.ts';
import { knownCurrency } from '../../statements/currency.ts';
import { recogniseFormat, STATEMENT_FORMATS, type StatementFormat } from '../../statements/statement-format.ts';
import type { StatementFacts } from '../../statements/statement-facts.ts';
import { guessProfile } from '../../statements/table/guess-profile.ts';
import { isWrongProfile, type WrongProfile } from '../../statements/table/parse-profile.ts';
import type { PeekedTable } from '../../statements/table/peek-table.ts';
import type { StatementUnreadable } from '../../statements/unreadable.ts';
import type { FilledTexts } from '../filled-parameters.ts';
import type { ConsoleDependencies } from '../console-dependencies.ts';
import { chosenBy, chosenIn, profileOf, type ChosenColumns } from './column-uses.ts';

/** The columns of a table: what is chosen of them, and the profile that this comes to. */
export type PreviewedTable = {
  readonly table: PeekedTable;
  readonly chosen: ChosenColumns;
  readonly profile: StatementProfile | WrongProfile;
};

/** What a file would bring. */
export type PreviewedFile =
  | {
      readonly _tag: 'Read';
      readonly facts: StatementFacts;
      readonly lines: readonly UnnamedLine[];
      /**
       * How many lines no file has brought before; null where they are too many to be looked up for a page, or have what
       * whoever asks may not see in them: a file of guesses would be told which are right, and leave no trace.
       */
      readonly newLines: number | null;
    }
  | { readonly _tag: 'Refused'; readonly refusal: StatementUnreadable }
  /** Nobody has said yet what its columns are. */
  | { readonly _tag: 'Undecided' };

/** A file that was handed in, as it would be imported. */
export type Preview = {
  readonly format: StatementFormat;
  readonly columns: PreviewedTable | null;
  readonly file: PreviewedFile;
};

type Deps = Pick<ConsoleDependencies, 'store' | 'readModels' | 'statementFiles' | 'drawLineKey' | 'peekTable'>;

const SHOWN_LINES = 12;
/** More lines are counted when they are imported. */
const MOST_LOOKED_UP = 20_000;

const NOTHING_CHOSEN: ChosenColumns = { skipRows: 0, dateFormat: 'dd/mm/yyyy', decimal: '.', uses: [] };

type Step<A> = Promise<E.Either<QueryFailure, A>>;

/** By the form, else by the profile that is named, else by what the table looks like. */
const columnsOf = async (deps: Deps, table: PeekedTable, texts: FilledTexts): Step<PreviewedTable> => {
  const currency = texts.get('currency') ?? '';
  const chosen = texts.get('by') === 'profile' ? null : chosenIn(texts);
  if (chosen !== null) return E.right({ table, chosen, profile: profileOf(chosen, table, currency) });
  const name = texts.get('profile')?.trim() ?? '';
  if (name !== '' && isProfileName(name)) {
    const named = await profileNamed(deps, name)();
    if (E.isRight(named)) return E.right({ table, chosen: chosenBy(named.right, table), profile: named.right });
    if (named.left._tag !== 'InvalidParameter') return named;
  }
  const guessed = guessProfile(table) ?? NOTHING_CHOSEN;
  return E.right({ table, chosen: guessed, profile: profileOf(guessed, table, currency) });
};

/** How many lines no file has brought before. Nothing is kept of it: no key is drawn for good. */
const newLinesOf = async (deps: Deps, opened: OpenedFile): Step<number> => {
  const kept = await keptLineKey(deps)();
  if (E.isLeft(kept)) return kept;
  const counted = await countedLines(deps, opened, kept.right ?? deps.drawLineKey());
  return E.map(({ newLines }: { readonly newLines: number }) => newLines)(counted);
};

const fileOf = async (
  deps: Deps,
  bytes: Buffer,
  format: StatementFormat,
  profile: StatementProfile | null,
  texts: FilledTexts,
  personal: PersonalData,
): Step<PreviewedFile> => {
  const account = texts.get('account')?.trim() ?? '';
  const isTable = profile !== null;
  const reading = {
    format,
    profile,
    account: account === '' ? (isTable ? (texts.get('profile') ?? '-') : null) : account,
    currency: knownCurrency(texts.get('currency') ?? ''),
  };
  const opened = await deps.statementFiles.open(bytes, reading)();
  if (E.isLeft(opened))
    return opened.left._tag === 'StatementUnreadable'
      ? E.right({ _tag: 'Refused', refusal: opened.left })
      : E.left(opened.left);
  const { facts, lines: linesOf, close } = opened.right;
  try {
    const isCounted = personal === 'shown' && facts.lines <= MOST_LOOKED_UP;
    const lines = await linesOf(0, SHOWN_LINES)();
    if (E.isLeft(lines)) return lines;
    const newLines = isCounted ? await newLinesOf(deps, opened.right) : E.right(null);
    if (E.isLeft(newLines)) return newLines;
    return E.right({ _tag: 'Read', facts, lines: lines.right, newLines: newLines.right });
  } finally {
    await close();
  }
};

/** Reads a file as it would be imported, and imports nothing. */
export const preview =
  (deps: Deps, bytes: Buffer, texts: FilledTexts, personal: PersonalData): TE.TaskEither<QueryFailure, Preview> =>
  async () => {
    const asked = texts.get('format');
    const format = STATEMENT_FORMATS.find((one) => one === asked) ?? recogniseFormat(bytes, true) ?? 'csv';
    if (format !== 'csv' && format !== 'xlsx')
      return E.map((file: PreviewedFile): Preview => ({ format, columns: null, file }))(
        await fileOf(deps, bytes, format, null, texts, personal),
      );
    const table = await deps.peekTable(bytes, format)();
    if (E.isLeft(table))
      return table.left._tag === 'StatementUnreadable'
        ? E.right({ format, columns: null, file: { _tag: 'Refused', refusal: table.left } })
        : E.left(table.left);
    const columns = await columnsOf(deps, table.right, texts);
    if (E.isLeft(columns)) return columns;
    const { profile } = columns.right;
    if (isWrongProfile(profile)) return E.right({ format, columns: columns.right, file: { _tag: 'Undecided' } });
    return E.map((file: PreviewedFile): Preview => ({ format, columns: columns.right, file }))(
      await fileOf(deps, bytes, format, profile, texts, personal),
    );
  };
