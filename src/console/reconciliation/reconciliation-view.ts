import { shownText, shownWhole } from '../../queries/masking/shown-text.ts';
import type { Query } from '../../queries/parameters/parameters.ts';
import type { DecidedItem } from '../../queries/reconciliation/decided-item.ts';
import type { MatchItemResource } from '../../queries/reconciliation/match-item-resource.ts';
import { SAME_BYTES } from '../../queries/statements/imported-as.ts';
import type { ImportedStatement } from '../../read-models/bank-questions.ts';
import type { Page } from '../../read-models/read-models.ts';
import type { ConsoleQuestion } from '../console-question.ts';
import type { FilledTexts } from '../filled-parameters.ts';
import { html, type Html } from '../html.ts';
import { importedAsText } from '../statements/imported-as-text.ts';
import { showPage, type PageAnswer } from '../page.ts';
import { PERIODS_PATH } from '../periods/period-path.ts';
import { uploadForm } from '../statements/upload-form.ts';
import { bankAccounts, bankFiles } from './bank-files.ts';
import { decidedNotice } from './decided-notice.ts';
import type { Unsaid } from './decision-forms.ts';
import { LIST_NAMES, type CHOOSING, type DONE_PARAMETERS } from './list-parameters.ts';
import { matchEntry } from './match-entry.ts';
import { matchFilterForm } from './match-filter-form.ts';
import { ASKED_STATE_WORDS } from './match-words.ts';
import { namedAccounts } from './named-accounts.ts';
import { openTable, stateTable, type Summaries } from './open-table.ts';
import { listDownloads, listPager } from './posted-list.ts';

const FILES = [
  ['csv', 'CSV'],
  ['xlsx', 'Workbook (XLSX)'],
  ['ndjson', 'NDJSON'],
] as const;

const PAGES = { further: 'Further items', next: 'Later items', none: 'No later items' } as const;

/** What its URL and its form ask of the page. */
export type AskedList = Query<typeof CHOOSING & typeof DONE_PARAMETERS>;

/** Whether a file that was imported before was read as then, or otherwise. */
export type Again = 'alike' | 'otherwise';

/** What the page shows. */
export type SeenList = {
  readonly summaries: Summaries;
  readonly items: readonly MatchItemResource[];
  readonly next: string | null;
  /** Bank files, the newest first, as many as a page has of them. */
  readonly files: Page<ImportedStatement>;
  readonly imported: ImportedStatement | null;
  /** Null: it was not imported before. */
  readonly again: Again | null;
  /** What was just decided on; null: nothing, or it is not there any more. */
  readonly decided: DecidedItem | null;
  readonly query: AskedList;
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
    new${pending === 0 ? null : html`, ${pending} not booked yet and left out`}; account ${namedAccounts(accounts)}.
  </p>
`;

/** What it was handed in for now stands in no URL, and so not here. */
const repeatedNotice = (was: ImportedStatement, again: Again, { personal }: ConsoleQuestion): Html => html`
  <p class="notice" role="status">
    <strong>${was.name === null ? 'The bank file' : shownText(was.name, personal)}</strong> was imported before, for
    ${importedAsText(was)}: nothing was
    added.${again === 'alike' ? null : html` It was not imported for anything else: ${SAME_BYTES}.`}
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

const headingOf = ({ state, text, orderId, lineId }: AskedList): string => {
  if (state !== null) return ASKED_STATE_WORDS[state];
  return [text, orderId, lineId].every((one) => one === null) ? 'Open items' : 'Found';
};

const unsaidIn = ({ unsaid, as }: AskedList): Unsaid | null => (unsaid === null ? null : { itemId: unsaid, as });

const itemList = ({ items, next, query }: SeenList, texts: FilledTexts, asked: ConsoleQuestion): Html => {
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
            ${listPager(texts, next, PAGES, asked)}`
    }
  `;
};

/**
 * The page of the match.
 *
 * @param filled what chooses its list, as it came
 */
export const reconciliationView = (seen: SeenList, filled: FilledTexts, asked: ConsoleQuestion): PageAnswer => {
  const texts = listTexts(filled);
  const { summaries, files, imported, again, decided, query } = seen;
  const currencies = shownWhole(
    summaries.all.rows.flatMap(({ currency }) => currency ?? []),
    asked.personal,
  );
  const accounts = [...new Set(bankAccounts(files.data).shown.map(({ account }) => account))];
  return showPage({
    title: 'Reconciliation',
    place: 'reconciliation',
    main: html`
      <div class="heading">
        <h1>Reconciliation</h1>
        <p class="muted">Orders of the provider against the lines of the bank and the transfers on chain.</p>
        ${listDownloads(texts, FILES, asked)}
      </div>
      ${imported === null ? null : again === null ? importedNotice(imported, asked) : repeatedNotice(imported, again, asked)}
      ${query.decided === null ? null : decidedNotice({ itemId: query.decided, as: query.as, about: decided }, texts, asked)}
      ${openTable(summaries, asked.personal)} ${stateTable(summaries.all, asked.personal)} ${bankFiles(files, asked)}
      ${uploadForm(asked)} ${matchFilterForm(texts, { currencies, accounts }, asked)} ${itemList(seen, texts, asked)}
    `,
  });
};
