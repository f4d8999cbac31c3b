import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { closeBook, type CloseBook } from '../../queries/periods/book/close-book.ts';
import { closeTitle } from '../../queries/periods/book/close-workbook.ts';
import type { ReceivedAdjustment } from '../../queries/periods/book/received-adjustments.ts';
import { readPath } from '../../queries/parameters/path-parameters.ts';
import { shownText } from '../../queries/masking/shown-text.ts';
import { FLOW_WORDS } from '../../queries/words/flow-words.ts';
import { inReadingOrder, measureWords } from '../../queries/words/measure-words.ts';
import { closeReply } from '../../replies/close-reply.ts';
import type { ConsoleQuestion, ConsoleRoute } from '../console-question.ts';
import { dataTable } from '../data-table.ts';
import { html, type Html } from '../html.ts';
import type { LargePageDependencies } from '../large-page-dependencies.ts';
import { sent, showPage, type PageAnswer } from '../page.ts';
import { differenceCells } from '../reports/side-by-side.ts';
import { reportTable } from '../reports/report-table.ts';
import { tokenTable } from '../reports/token-table.ts';
import { checksAtClose } from './check-table.ts';
import { closedFacts } from './closed-facts.ts';
import { PERIODS_PATH, periodFilePath, periodPath } from './period-path.ts';

const PRINT = '/console/periods/{period}/print';
const FILE = '/console/files/periods/{period}';

const BASES = { created: 'by day of creation', settled: 'by day of settlement' } as const;

const receivedTable = (received: readonly ReceivedAdjustment[], shown: (text: string) => string): Html =>
  received.length === 0
    ? html`<p class="muted">Nothing came for earlier months between the close before and this one.</p>`
    : dataTable(
        { label: 'Adjustments of earlier months' },
        [
          'Month',
          'Report',
          'Currency',
          'Measure',
          { figure: 'At the close before' },
          { figure: 'At this close' },
          { figure: 'Difference' },
        ],
        received.flatMap(({ period, flow, basis, currency, measures }) =>
          inReadingOrder(measures).map(
            ([name, difference]) =>
              html`<tr>
                <th scope="row">${period}</th>
                <td>${FLOW_WORDS[flow]}, ${basis}</td>
                <td>${shown(currency)}</td>
                <td>${shown(measureWords(flow, name))}</td>
                ${differenceCells(name, currency, difference)}
              </tr>`,
          ),
        ),
      );

const reportPart = (
  { question, answer }: CloseBook['reports'][number],
  asked: ConsoleQuestion,
  shown: (text: string) => string,
): Html => html`
  <section>
    <h2>${FLOW_WORDS[question.flow]}, ${BASES[question.basis]}</h2>
    ${
      answer.totals.length === 0
        ? html`<p class="muted">No order.</p>`
        : html`${reportTable(answer.rows, answer.totals, question, asked)}
          ${tokenTable(answer.totals, question.flow, shown)}`
    }
  </section>
`;

const page = (book: CloseBook, asked: ConsoleQuestion): PageAnswer => {
  const { closed } = book;
  const month = closed.data.period;
  const shown = (text: string): string => shownText(text, asked.personal);
  return showPage({
    title: `Close of ${month}`,
    place: 'periods',
    main: html`
      <div class="heading">
        <p class="crumbs">
          <a href="${PERIODS_PATH}">Periods</a>
          <a href="${periodPath(month)}">${month}</a>
        </p>
        <h1 class="report-of">${closeTitle(book)}</h1>
        <p class="downloads">
          <a download href="${periodFilePath(month)}">Workbook</a>
          <span class="muted">Your browser prints this page without what is only for the screen.</span>
        </p>
      </div>
      ${closedFacts(closed, asked, 'open')} ${book.reports.map((report) => reportPart(report, asked, shown))}
      <section>
        <h2>Readiness at the close</h2>
        ${checksAtClose(closed, asked.times)}
      </section>
      <section>
        <h2>Adjustments of earlier months</h2>
        ${receivedTable(book.received, shown)}
      </section>
    `,
  });
};

/** A closed month for paper: its reports, readiness as it was, who closed it, and what came for earlier months. */
const printPage = (deps: LargePageDependencies): ConsoleRoute => ({
  method: 'get',
  path: PRINT,
  scopes: ['reports:read'],
  answer: (asked) =>
    pipe(
      TE.fromEither(readPath(PRINT, asked.path)),
      TE.chainW(({ period }) => closeBook(deps, period, [])),
      TE.map((book) => page(book, asked)),
    ),
});

const workbookPage = (deps: LargePageDependencies): ConsoleRoute => ({
  method: 'get',
  path: FILE,
  scopes: ['reports:read'],
  answer: (asked) =>
    pipe(
      TE.fromEither(readPath(FILE, asked.path)),
      TE.chainW(({ period }) => closeBook(deps, period, ['day'])),
      TE.chainTaskK((book) => closeReply(book, asked.personal)),
      TE.map(sent),
    ),
});

/** What one takes of a closed month: on paper, and as a workbook. */
export const closePages = (deps: LargePageDependencies): readonly ConsoleRoute[] => [
  printPage(deps),
  workbookPage(deps),
];
