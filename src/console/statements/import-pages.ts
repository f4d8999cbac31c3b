import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { inPlace } from '../../access/stream-places.ts';
import type { Author } from '../../domain/own-event/own-metadata.ts';
import { branded } from '../../domain/brand.ts';
import type { StatementId } from '../../domain/statement-line.ts';
import { isProfileName, type StatementProfile } from '../../domain/statement-profile.ts';
import { illFormed, notFound, type QueryFailure } from '../../queries/failure/query-failure.ts';
import { readPath } from '../../queries/parameters/path-parameters.ts';
import { onceListed } from '../../queries/parameters/position-parameter.ts';
import { readParameters } from '../../queries/parameters/parameters.ts';
import type { Imported } from '../../queries/statements/import-statement.ts';
import { askedOtherwise } from '../../queries/statements/imported-as.ts';
import { IMPORT_PARAMETERS, importRequest, MOST_FILE_BYTES } from '../../queries/statements/statement-request.ts';
import { isWrongProfile, parseProfile } from '../../statements/table/parse-profile.ts';
import { unreadable } from '../../statements/unreadable.ts';
import type { ConsoleDependencies } from '../console-dependencies.ts';
import type { ConsoleQuestion, ConsoleRoute } from '../console-question.ts';
import { filledParameters, type FilledTexts } from '../filled-parameters.ts';
import { html } from '../html.ts';
import { withParameters } from '../links.ts';
import { seeOther, showPage, type PageAnswer } from '../page.ts';
import { RECONCILIATION_PATH } from '../reconciliation/reconciliation-path.ts';
import { previewView } from './preview-view.ts';
import { saidIn } from './said-in.ts';
import { preview, type Preview } from './previewed.ts';
import { IMPORT_PATH, importPath, uploadForm } from './upload-form.ts';

const PATH = `${IMPORT_PATH}/{statementId}`;
const READING_PATH = `${PATH}/reading`;
/** What is imported is shown in the match: who may not see that is told before anything is done. */
const SCOPES = ['reports:read', 'statements:write'] as const;

type NamedPreview = { readonly seen: Preview; readonly name: string };

const authorOf = ({ session, now, requestId }: ConsoleQuestion): Author => ({ by: session.key.id, at: now, requestId });

/** The page of the form alone, for whoever comes by its address. */
const chooseFile = (): ConsoleRoute => ({
  method: 'get',
  path: IMPORT_PATH,
  scopes: SCOPES,
  answer: (asked) =>
    TE.right(
      showPage({
        title: 'Import a bank file',
        place: 'reconciliation',
        main: html`
          <div class="heading">
            <p class="crumbs"><a href="${RECONCILIATION_PATH}">Reconciliation</a></p>
            <h1>Import a bank file</h1>
          </div>
          ${uploadForm(asked)}
        `,
      }),
    ),
});

/** Takes a file, and leads to what it would bring. */
const takeFile = ({ stagedFiles }: ConsoleDependencies): ConsoleRoute => ({
  method: 'post',
  path: IMPORT_PATH,
  scopes: SCOPES,
  mostFileBytes: MOST_FILE_BYTES,
  answer:
    ({ session, file, isTooLarge }) =>
    async () => {
      if (isTooLarge) return E.left(unreadable(null, 'size', `it has more than ${MOST_FILE_BYTES} bytes`));
      if (file === null) return E.left(illFormed('file', 'a bank file'));
      if (file.bytes === 0) return E.left(illFormed('file', 'a bank file that is not empty'));
      const statementId = branded<StatementId>(file.sha256);
      await stagedFiles.take(session, statementId, file);
      return E.right(seeOther(importPath(statementId)));
    },
});

/** What a file would bring, read as somebody says. */
const seenAs = (
  deps: ConsoleDependencies,
  asked: ConsoleQuestion,
  statementId: StatementId,
  texts: FilledTexts,
): TE.TaskEither<QueryFailure, PageAnswer> =>
  pipe(
    deps.readModels.statement(statementId),
    TE.bindTo('known'),
    TE.bindW('seen', () =>
      inPlace<QueryFailure, NamedPreview>(deps.streams, 'bank files', asked.reader, async () => {
        const file = await deps.stagedFiles.read(asked.session, statementId);
        if (file === null) return E.left(notFound('statement'));
        const seen = await preview(deps, file.bytes, texts, asked.personal)();
        return E.map((it: Preview) => ({ seen: it, name: file.name }))(seen);
      }),
    ),
    TE.map(({ known, seen }) =>
      showPage(previewView({ statementId, ...seen, texts, before: asked.personal === 'shown' ? known : null }, asked)),
    ),
  );

/** Shows what a file would bring as it is read by itself; nothing is imported. */
const previewPage = (deps: ConsoleDependencies): ConsoleRoute => ({
  method: 'get',
  path: PATH,
  scopes: SCOPES,
  answer: (asked) =>
    pipe(
      TE.fromEither(readPath(PATH, asked.path)),
      TE.chainFirstW(() => TE.fromEither(filledParameters(asked, {}))),
      TE.chainW(({ statementId }) => seenAs(deps, asked, statementId, new Map())),
    ),
});

/** Shows what it would bring as somebody says how to read it, which is posted: an account belongs in no URL. */
const readingPage = (deps: ConsoleDependencies): ConsoleRoute => ({
  method: 'post',
  path: READING_PATH,
  scopes: SCOPES,
  answer: (asked) =>
    pipe(
      TE.fromEither(readPath(READING_PATH, asked.path)),
      TE.chainW(({ statementId }) => seenAs(deps, asked, statementId, asked.form)),
    ),
});

/** The address of a reading that was posted, where it is opened by hand: the file, as it is read by itself. */
const openedReading = (): ConsoleRoute => ({
  method: 'get',
  path: READING_PATH,
  scopes: SCOPES,
  answer: ({ path }) =>
    pipe(
      TE.fromEither(readPath(READING_PATH, path)),
      TE.map(({ statementId }) => seeOther(importPath(statementId))),
    ),
});

/** The columns as they were chosen at the preview; null: the file is no table. */
const columnsIn = (form: ConsoleQuestion['form']): E.Either<QueryFailure, StatementProfile | null> => {
  const columns = form.get('columns');
  if (columns === undefined) return E.right(null);
  if (!isProfileName(form.get('profile')?.trim() ?? ''))
    return E.left(illFormed('profile', 'a name of letters, digits, ".", "_" and "-"'));
  const parsed = E.tryCatch(
    (): unknown => JSON.parse(columns),
    () => illFormed('columns', 'what the preview had in it'),
  );
  if (E.isLeft(parsed)) return parsed;
  const profile = parseProfile(parsed.right);
  return isWrongProfile(profile) ? E.left(illFormed('columns', `otherwise: ${profile.detail}`)) : E.right(profile);
};

/** Imports a file; the columns of a table are kept as a profile with it. */
const importFile = (deps: ConsoleDependencies, asked: ConsoleQuestion, statementId: StatementId) => {
  const { form, session, reader } = asked;
  const author = authorOf(asked);
  const given = ['format', 'account', 'currency', 'profile'].flatMap((name) => {
    const text = form.get(name)?.trim() ?? '';
    return text === '' ? [] : [[name, text] as const];
  });
  return pipe(
    TE.fromEither(readParameters(given, IMPORT_PARAMETERS, () => true)),
    TE.bindTo('query'),
    TE.bindW('columns', () => TE.fromEither(columnsIn(form))),
    TE.chainW(({ query, columns }) =>
      inPlace<QueryFailure, Imported>(deps.streams, 'bank files', reader, async () => {
        const file = await deps.stagedFiles.read(session, statementId);
        if (file === null) return E.left(notFound('statement'));
        const { bytes, name } = file;
        return pipe(
          importRequest(deps, { ...query, name: name.trim() === '' ? null : name }, bytes, author, columns),
          TE.chainFirstW(({ position }) => onceListed(deps, position)),
        )();
      }),
    ),
    TE.chainFirstW(() => TE.fromTask(() => deps.stagedFiles.drop(session, statementId))),
  );
};

/** Imports what was looked at; the match comes next, with a word on what the file brought. */
const confirmImport = (deps: ConsoleDependencies): ConsoleRoute => ({
  method: 'post',
  path: PATH,
  scopes: SCOPES,
  answer: (asked) =>
    pipe(
      TE.fromEither(readPath(PATH, asked.path)),
      TE.bindW('taken', ({ statementId }) => importFile(deps, asked, statementId)),
      TE.map(({ statementId, taken: { statement, isRepeat, readAs } }) => {
        const said = saidIn(asked.form);
        const again = isRepeat ? (askedOtherwise(statement, readAs, said) === null ? 'alike' : 'otherwise') : null;
        return seeOther(withParameters(RECONCILIATION_PATH, { imported: statementId, again }));
      }),
    ),
});

/** Bank files: handed in, looked at, and then imported (docs/spec/http.md, Console). */
export const importPages = (deps: ConsoleDependencies): readonly ConsoleRoute[] => [
  chooseFile(),
  takeFile(deps),
  previewPage(deps),
  readingPage(deps),
  openedReading(),
  confirmImport(deps),
];
