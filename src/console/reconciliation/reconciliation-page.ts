import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { AGE_CLASSES, type AgeClass } from '../../../projections/match/ageing.ts';
import { branded } from '../../domain/brand.ts';
import type { BusinessDay } from '../../domain/business-day.ts';
import type { StatementId } from '../../domain/statement-line.ts';
import type { QueryFailure } from '../../queries/failure/query-failure.ts';
import { shownText, shownWhole } from '../../queries/masking/shown-text.ts';
import type { Query } from '../../queries/parameters/parameters.ts';
import type { MatchItemResource } from '../../queries/reconciliation/match-item-resource.ts';
import { decidedItem, type DecidedItem } from '../../queries/reconciliation/decided-item.ts';
import { matchList, parseMatchList } from '../../queries/reconciliation/match-items.ts';
import { reconciliation, type ReconciliationResource } from '../../queries/reconciliation/reconciliation.ts';
import type { ImportedStatement } from '../../read-models/bank-questions.ts';
import type { ConsoleQuestion, ConsoleRoute } from '../console-question.ts';
import { downloads } from '../downloads.ts';
import { filledParameters, type FilledTexts } from '../filled-parameters.ts';
import { html, type Html } from '../html.ts';
import type { LargePageDependencies } from '../large-page-dependencies.ts';
import { showPage, type PageAnswer } from '../page.ts';
import { pager } from '../pager.ts';
import { PERIODS_PATH } from '../periods/period-path.ts';
import { uploadForm } from '../statements/upload-form.ts';
import { bankAccounts, bankFiles, MOST_FILES } from './bank-files.ts';
import { chosenItems } from './chosen-items.ts';
import { daysOfAge, LIST_NAMES, PAGE_PARAMETERS } from './list-parameters.ts';
import { decidedNotice } from './decided-notice.ts';
import type { Unsaid } from './decision-forms.ts';
import { matchEntry } from './match-entry.ts';
import { matchFilterForm } from './match-filter-form.ts';
import { ASKED_STATE_WORDS } from './match-words.ts';
import { openTable, stateTable, type Summaries } from './open-table.ts';
import { ITEMS_FILE_PATH, RECONCILIATION_PATH } from './reconciliation-path.ts';

const LIMIT = 20;
/** Orders, lines and transfers of an item: more of them are read in its file. */
const MOST_OF_EACH = 20;

const FILES = [
  ['csv', 'CSV'],
  ['xlsx', 'Workbook (XLSX)'],
  ['ndjson', 'NDJSON'],
] as const;

const PAGES = { further: 'Further items', next: 'Later items', none: 'No later items' } as const;

type Asked = Query<typeof PAGE_PARAMETERS>;

type Seen = {
  readonly summaries: Summaries;
  readonly items: readonly MatchItemResource[];
  readonly next: string | null;
  /** Bank files, the newest first. */
  readonly files: readonly ImportedStatement[];
  readonly imported: ImportedStatement | null;
  /** What was just decided on; null: nothing, or it is not there any more. */
  readonly decided: DecidedItem | null;
  readonly query: Asked;
};

/** What chooses the list, without what was just done. */
const listTexts = (texts: FilledTexts): FilledTexts =>
  new Map([...texts].filter(([name]) => LIST_NAMES.includes(name)));

const importedNotice = (
  { name, lines, newLines, pending, accounts }: ImportedStatement,
  { personal }: ConsoleQuestion,
): Html => html`
  <p class="notice" role="status">
    <strong>${name === null ? 'The bank file' : shownText(name, personal)}</strong> is imported: ${lines}
    ${lines === 1 ? 'line' : 'lines'}, ${newLines} of them
    new${pending === 0 ? null : html`, ${pending} not booked yet and left out`}; account
    ${accounts.map(({ account }) => account).join(', ')}.
  </p>
`;

const KEYS: readonly (readonly [string, string])[] = [
  ['j', 'next'],
  ['k', 'previous'],
  ['n', 'note'],
  ['e', 'off the list'],
  ['a', 'they belong together'],
  ['p', 'they do not'],
  ['u', 'take back'],
];

const keyHelp = (): Html => html`
  <p class="fine keys" hidden>
    ${KEYS.map(([key, does]) => html`<span><kbd>${key}</kbd> ${does}</span> `)}
    <span><kbd>Enter</kbd> in the note: off the list</span>
  </p>
`;

const headingOf = ({ state, text }: Asked): string =>
  state !== null ? ASKED_STATE_WORDS[state] : text === null ? 'Open items' : 'Found';

const unsaidIn = ({ unsaid, as }: Asked): Unsaid | null => (unsaid === null ? null : { itemId: unsaid, as });

const itemList = ({ items, next, query }: Seen, texts: FilledTexts, asked: ConsoleQuestion): Html => {
  const back = new URLSearchParams([...texts]).toString();
  return html`
    <h2>${headingOf(query)}</h2>
    ${
      items.length === 0
        ? html`<section class="nothing">
            <h2>Nothing is here</h2>
            <p><a href="${PERIODS_PATH}">Periods</a> says what else a month needs before it is closed.</p>
          </section>`
        : html`${keyHelp()}
            <ol class="entries match">
              ${items.map((item, i) =>
                matchEntry(
                  item,
                  asked,
                  { query: back, next: items[i + 1]?.itemId ?? items[i - 1]?.itemId ?? '' },
                  unsaidIn(query),
                ),
              )}
            </ol>
            ${pager(RECONCILIATION_PATH, texts, next, PAGES)}`
    }
  `;
};

const page = (seen: Seen, filled: FilledTexts, asked: ConsoleQuestion): PageAnswer => {
  const texts = listTexts(filled);
  const { summaries, files, imported, decided, query } = seen;
  const currencies = shownWhole(
    summaries.all.rows.flatMap(({ currency }) => currency ?? []),
    asked.personal,
  );
  const accounts = [...new Set(bankAccounts(files).map(({ account }) => account))];
  return showPage({
    title: 'Reconciliation',
    place: 'reconciliation',
    main: html`
      <div class="heading">
        <h1>Reconciliation</h1>
        <p class="muted">Orders of the provider against the lines of the bank and the transfers on chain.</p>
        ${downloads(ITEMS_FILE_PATH, texts, FILES)}
      </div>
      ${imported === null ? null : importedNotice(imported, asked)}
      ${query.decided === null ? null : decidedNotice({ itemId: query.decided, as: query.as, about: decided }, texts, asked)}
      ${openTable(summaries, asked.personal)} ${stateTable(summaries.all, asked.personal)} ${bankFiles(files, asked)}
      ${uploadForm(asked)} ${matchFilterForm(texts, { currencies, accounts })} ${itemList(seen, texts, asked)}
    `,
  });
};

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

/** What is open, since when and how much, and the items one by one (docs/spec/match.md). */
export const reconciliationPage = (deps: LargePageDependencies): ConsoleRoute => ({
  method: 'get',
  path: RECONCILIATION_PATH,
  scopes: ['reports:read'],
  answer: (asked) => {
    const today = deps.calendar.dayOf(asked.now);
    return pipe(
      TE.fromEither(filledParameters(asked, PAGE_PARAMETERS)),
      TE.bindW('summaries', () => summariesOf(deps, today)),
      TE.bindW('chosen', ({ query }) => chosenItems(deps, query, today, asked.session.key.scopes)),
      TE.bindW('found', ({ query: { cursor }, chosen: { query, isOpen, search } }) =>
        pipe(
          parseMatchList(deps, isOpen, search)({ ...query, cursor, limit: LIMIT, skip: null, position: null }),
          TE.chain(matchList(deps, asked.personal, MOST_OF_EACH)),
        ),
      ),
      TE.bindW('files', () => deps.readModels.statements({ after: null, limit: MOST_FILES, isNewestFirst: true })),
      TE.bindW('imported', ({ query }): TE.TaskEither<QueryFailure, ImportedStatement | null> =>
        query.imported === null ? TE.right(null) : deps.readModels.statement(branded<StatementId>(query.imported)),
      ),
      TE.bindW('decided', ({ query }) =>
        query.decided === null ? TE.right(null) : decidedItem(deps, asked.personal)(query.decided),
      ),
      TE.map(({ summaries, found, files, imported, decided, query, texts }) =>
        page(
          { summaries, items: found.data, next: found.next, files: files.data, imported, decided, query },
          texts,
          asked,
        ),
      ),
    );
  },
});
