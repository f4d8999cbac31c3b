import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { AGE_CLASSES, type AgeClass } from '../../../projections/match/ageing.ts';
import { branded } from '../../domain/brand.ts';
import type { BusinessDay } from '../../domain/business-day.ts';
import type { StatementId } from '../../domain/statement-line.ts';
import type { QueryFailure } from '../../queries/failure/query-failure.ts';
import { decidedItem } from '../../queries/reconciliation/decided-item.ts';
import { matchList, parseMatchList } from '../../queries/reconciliation/match-items.ts';
import { reconciliation, type ReconciliationResource } from '../../queries/reconciliation/reconciliation.ts';
import type { ImportedStatement } from '../../read-models/bank-questions.ts';
import type { ConsoleQuestion, ConsoleRoute } from '../console-question.ts';
import { filledParameters, type FilledTexts } from '../filled-parameters.ts';
import type { LargePageDependencies } from '../large-page-dependencies.ts';
import type { PageAnswer } from '../page.ts';
import { MOST_FILES } from './bank-files.ts';
import { chosenItems } from './chosen-items.ts';
import { daysOfAge, PAGE_PARAMETERS } from './list-parameters.ts';
import { matchFilterForm, NOTHING_OFFERED } from './match-filter-form.ts';
import type { Summaries } from './open-table.ts';
import { reconciliationView, type Again, type AskedList } from './reconciliation-view.ts';
import { RECONCILIATION_PATH } from './reconciliation-path.ts';

const LIMIT = 20;
/** Orders, lines and transfers of an item: more of them are read in its file. */
const MOST_OF_EACH = 20;

const NO_FILTER = { from: null, to: null, currency: null, flow: null, account: null } as const;

const summariesOf = (deps: LargePageDependencies, today: BusinessDay): TE.TaskEither<QueryFailure, Summaries> => {
  const of = (days: ReturnType<typeof daysOfAge>) =>
    // Kept apart by their currencies as they came; the tables show them to the reader.
    reconciliation(deps, 'shown')({ filter: { ...NO_FILTER, ...days }, included: null });
  return pipe(
    of({ from: null, to: null }),
    TE.bindTo('all'),
    TE.bind('byAge', () =>
      pipe(
        TE.traverseArray((age: AgeClass) =>
          TE.map((summary: ReconciliationResource) => [age, summary] as const)(of(daysOfAge(age, today))),
        )(AGE_CLASSES),
        TE.map((pairs): Summaries['byAge'] => new Map(pairs)),
      ),
    ),
  );
};

/** What somebody asks of the match: as it came, for forms and links, and as it is read; and the file that was just imported. */
type Wanted = {
  readonly texts: FilledTexts;
  readonly query: AskedList;
  readonly imported: string | null;
  readonly again: Again | null;
};

/** What is open, since when and how much, and the items one by one that are asked for. */
export const listPage = (
  deps: LargePageDependencies,
  asked: ConsoleQuestion,
  { texts, query, imported: importedId, again }: Wanted,
): TE.TaskEither<QueryFailure, PageAnswer> => {
  const today = deps.calendar.dayOf(asked.now);
  const { decided: decidedId, unsaid: _unsaid, as: _as, ...choosing } = query;
  return pipe(
    summariesOf(deps, today),
    TE.bindTo('summaries'),
    TE.bindW('chosen', () => chosenItems(deps, choosing, today, asked.session.key.scopes)),
    TE.bindW('found', ({ chosen: { query: items, isOpen, search } }) =>
      pipe(
        parseMatchList(
          deps,
          isOpen,
          search,
        )({ ...items, cursor: query.cursor, limit: LIMIT, skip: null, position: null }),
        TE.chain(matchList(deps, asked.personal, MOST_OF_EACH)),
      ),
    ),
    TE.bindW('files', () => deps.readModels.statements({ after: null, limit: MOST_FILES, isNewestFirst: true })),
    TE.bindW('imported', (): TE.TaskEither<QueryFailure, ImportedStatement | null> =>
      importedId === null ? TE.right(null) : deps.readModels.statement(branded<StatementId>(importedId)),
    ),
    TE.bindW('decided', () => (decidedId === null ? TE.right(null) : decidedItem(deps, asked.personal)(decidedId))),
    TE.map(({ summaries, found, files, imported, decided }) =>
      reconciliationView(
        { summaries, items: found.data, next: found.next, files, imported, again, decided, query },
        texts,
        asked,
      ),
    ),
  );
};

/** The match, filtered by what stands in the URL (docs/spec/match.md). */
export const reconciliationPage = (deps: LargePageDependencies): ConsoleRoute => ({
  method: 'get',
  path: RECONCILIATION_PATH,
  scopes: ['reports:read'],
  form: (texts, asked) => matchFilterForm(texts, NOTHING_OFFERED, asked),
  answer: (asked) =>
    pipe(
      TE.fromEither(filledParameters(asked, PAGE_PARAMETERS)),
      TE.chain(({ texts, query: { imported, again, ...query } }) =>
        listPage(deps, asked, { texts, query: { ...query, text: null, account: null }, imported, again }),
      ),
    ),
});
