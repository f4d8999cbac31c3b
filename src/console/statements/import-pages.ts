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
import { queryTexts } from '../../replies/query-texts.ts';
import { isWrongProfile, parseProfile } from '../../statements/table/parse-profile.ts';
import { unreadable } from '../../statements/unreadable.ts';
import type { ConsoleDependencies } from '../console-dependencies.ts';
import type { ConsoleQuestion, ConsoleRoute } from '../console-question.ts';
import { html } from '../html.ts';
import { withParameters } from '../links.ts';
import { seeOther, showPage } from '../page.ts';
import { RECONCILIATION_PATH } from '../reconciliation/reconciliation-path.ts';
import { previewView } from './preview-view.ts';
import { saidIn } from './said-in.ts';
import { preview } from './previewed.ts';
import { IMPORT_PATH, uploadForm } from './upload-form.ts';

const PATH = `${IMPORT_PATH}/{statementId}`;
/** What is imported is shown in the match: who may not see that is told before anything is done. */
const SCOPES = ['reports:read', 'statements:write'] as const;

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
      await stagedFiles.take(session, statementId, file.path);
      return E.right(seeOther(withParameters(`${IMPORT_PATH}/${statementId}`, { name: file.name })));
    },
});

/** Shows what a file would bring; nothing is imported. */
const previewPage = (deps: ConsoleDependencies): ConsoleRoute => ({
  method: 'get',
  path: PATH,
  scopes: SCOPES,
  answer: (asked) =>
    pipe(
      TE.fromEither(readPath(PATH, asked.path)),
      TE.bindW('texts', () =>
        pipe(
          queryTexts(asked.querystring),
          E.map((texts) => new Map(texts)),
          TE.fromEither,
        ),
      ),
      TE.bindW('known', ({ statementId }) => deps.readModels.statement(statementId)),
      TE.bindW('seen', ({ statementId, texts }) =>
        inPlace(deps.streams, 'bank files', asked.reader, async () =>
          preview(deps, await deps.stagedFiles.read(asked.session, statementId), texts, asked.personal)(),
        ),
      ),
      TE.map(({ statementId, known, seen, texts }) =>
        showPage(previewView({ statementId, seen, texts, before: asked.personal === 'shown' ? known : null }, asked)),
      ),
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
  const given = ['format', 'account', 'currency', 'profile', 'name'].flatMap((name) => {
    const text = form.get(name)?.trim() ?? '';
    return text === '' ? [] : [[name, text] as const];
  });
  return pipe(
    TE.fromEither(readParameters(given, IMPORT_PARAMETERS, () => true)),
    TE.bindTo('query'),
    TE.bindW('columns', () => TE.fromEither(columnsIn(form))),
    TE.chainW(({ query, columns }) =>
      inPlace<QueryFailure, Imported>(deps.streams, 'bank files', reader, async () => {
        const bytes = await deps.stagedFiles.read(session, statementId);
        if (bytes === null) return E.left(notFound('statement'));
        return pipe(
          importRequest(deps, query, bytes, author, columns),
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
  confirmImport(deps),
];
