import { upperAscii } from '../../domain/letter-case.ts';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { BusinessDay } from '../../domain/business-day.ts';
import type { Flow } from '../../domain/flow.ts';
import { shownText } from '../../queries/masking/shown-text.ts';
import { oneOf, parameter } from '../../queries/parameters/parameters.ts';
import { inCurrency, parseReport, REPORT_PARAMETERS, reportAnswer } from '../../queries/reports/report.ts';
import type { ReportAnswer, ReportQuestion } from '../../read-models/read-models.ts';
import { asOfMark } from '../as-of-mark.ts';
import type { ConsoleQuestion, ConsoleRoute } from '../console-question.ts';
import { downloads } from '../downloads.ts';
import { filledParameters, type FilledTexts } from '../filled-parameters.ts';
import { html, type Html } from '../html.ts';
import type { LargePageDependencies } from '../large-page-dependencies.ts';
import { BOTH_FLOWS_PATH, withParameters } from '../links.ts';
import type { Times } from '../local-time.ts';
import { periodFilePath } from '../periods/period-path.ts';
import { showPage, type PageAnswer } from '../page.ts';
import { daysWords } from '../../queries/words/days-words.ts';
import { FLOW_WORDS } from '../../queries/words/flow-words.ts';
import { daysOfRange, rangeIn, rangeLinks, RANGES, withDays, type Range } from './report-range.ts';
import { closedMark, closedMonth, type ClosedMonth } from './closed-mark.ts';
import { reportCharts } from './report-charts.ts';
import { flowTabs, reportForm } from './report-form.ts';
import { reportTable } from './report-table.ts';
import { sideBySide } from './side-by-side.ts';
import { ordersBehind } from './row-orders.ts';
import { tokenTable } from './token-table.ts';

const { format: _format, position: _position, ...ASKED } = REPORT_PARAMETERS;

const PARAMETERS = {
  ...ASKED,
  range: parameter<Range>('A stretch of days by its name.', oneOf(RANGES)),
} as const;

const FILES = [
  ['csv', 'CSV'],
  ['xlsx', 'Workbook (XLSX)'],
] as const;

const NOTHING_YET = html`
  <section class="nothing">
    <h2>No orders in this report</h2>
    <p>Choose other days, or the other flow.</p>
  </section>
`;

/** What the report is of, so that a print or a picture of it needs nothing else. */
const headline = ({ flow, basis, from, to }: ReportQuestion, timeZone: string, currency: string | null): Html =>
  html`<h2 class="report-of">
    ${FLOW_WORDS[flow]}${currency === null ? '' : `, ${currency}`}, ${basis} ${daysWords({ from, to })}, ${timeZone}
  </h2>`;

const asOf = ({ asOf: checkpoint, timeZone }: ReportAnswer, times: Times): Html => html`
  <p class="fine">
    Days in ${timeZone}.
    ${checkpoint === null ? 'Nothing has been received yet.' : html`Includes every event up to position <code>${checkpoint.position}</code>, recorded ${times.time(checkpoint.at)}.`}
    Every figure is a link to the orders that it is the sum of.
  </p>
`;

/** Where both flows of the same question are a workbook. */
const bothFlowsLink = ({ basis, from, to, groupBy }: ReportQuestion, texts: FilledTexts): string =>
  withParameters(BOTH_FLOWS_PATH, {
    from,
    to,
    basis: basis === 'settled' ? 'settled' : null,
    groupBy: groupBy.join(','),
    asOf: texts.get('asOf') ?? null,
    currency: texts.get('currency') ?? null,
  });

type Found = {
  readonly question: ReportQuestion;
  readonly answer: ReportAnswer;
  readonly month: ClosedMonth | null;
};

const page = (
  flow: Flow,
  texts: FilledTexts,
  { question: ofDays, answer: whole, month }: Found,
  asked: ConsoleQuestion,
  today: BusinessDay,
): PageAnswer => {
  const asClosed = month !== null && texts.has('period');
  // The orders behind figures of a close are those of its moment.
  const question = asClosed ? { ...ofDays, asOf: month.asOf } : ofDays;
  const filledCurrency = texts.get('currency');
  const currency = filledCurrency === undefined ? undefined : upperAscii(filledCurrency);
  const answer = inCurrency(whole, currency ?? null);
  const filled = withDays(texts, today);
  const currencies = whole.totals.map(({ currency }) => currency);
  const { personal, times } = asked;
  const text = (value: string): string => shownText(value, personal);
  return showPage({
    title: flow === 'onramp' ? 'On-ramp report' : 'Off-ramp report',
    place: 'reports',
    main: html`
      <div class="heading">
        <h1>Reports</h1>
        ${downloads(`/console/files/reports/${flow}`, filled, FILES, [
          {
            href: asClosed ? periodFilePath(month.closed.data.period) : bothFlowsLink(ofDays, texts),
            name: 'Both flows (XLSX)',
          },
        ])}
      </div>
      ${flowTabs(flow, texts)} ${rangeLinks(`/console/reports/${flow}`, texts)}
      ${reportForm(flow, filled, currencies.map(text))}
      ${headline(question, answer.timeZone, currency === undefined ? null : text(currency))}
      ${month === null ? null : closedMark(month, ofDays, asClosed, times)}
      ${ofDays.asOf === undefined ? null : asOfMark(ofDays.asOf, `/console/reports/${flow}`, texts, times)}
      ${
        answer.rows.length === 0
          ? NOTHING_YET
          : html`
              ${reportCharts(answer, question, ordersBehind(question, asked), text, today)}
              <section>${reportTable(answer.rows, answer.totals, question, asked)} ${asOf(answer, times)}</section>
              ${tokenTable(answer.totals, flow, text)}
            `
      }
      ${month === null ? null : sideBySide(flow, month.changed, text)}
    `,
  });
};

/** The report of a flow, each of its figures open to the orders behind it. */
export const reportPage = (deps: LargePageDependencies, flow: Flow): ConsoleRoute => ({
  method: 'get',
  path: `/console/reports/${flow}`,
  scopes: ['reports:read'],
  form: (texts) => html`${flowTabs(flow, texts)} ${reportForm(flow, texts, [])}`,
  answer: (asked) =>
    pipe(
      TE.fromEither(filledParameters(asked, PARAMETERS)),
      TE.bindW('found', ({ texts, query }) => {
        const range = rangeIn(texts);
        const days = range === null ? query : daysOfRange(range, deps.calendar.dayOf(asked.now));
        const wanted = { ...query, from: days.from, to: days.to, format: null, position: null, currency: null };
        return pipe(
          parseReport(deps, flow)(wanted),
          TE.chain(reportAnswer(deps)),
          TE.bindW('month', ({ question }) => closedMonth(deps, question)),
        );
      }),
      TE.map(({ texts, found }) => page(flow, texts, found, asked, deps.calendar.dayOf(asked.now))),
    ),
});
