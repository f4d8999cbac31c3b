import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Flow } from '../../domain/flow.ts';
import { withMaskedEmails } from '../../queries/masking/email-addresses.ts';
import type { QueryDependencies } from '../../queries/query-dependencies.ts';
import { asOfParameter } from '../../queries/parameters/as-of-parameter.ts';
import { REPORT_PARAMETERS, reportQuestion } from '../../queries/reports/report.ts';
import type { ReportAnswer, ReportQuestion } from '../../read-models/read-models.ts';
import type { ConsoleQuestion, ConsoleRoute } from '../console-question.ts';
import { downloads } from '../downloads.ts';
import { filledParameters, type FilledTexts } from '../filled-parameters.ts';
import { html, type Html } from '../html.ts';
import type { Times } from '../local-time.ts';
import { showPage, type PageAnswer } from '../page.ts';
import { reportCharts } from './report-charts.ts';
import { flowTabs, reportForm } from './report-form.ts';
import { reportTable } from './report-table.ts';
import { ordersBehind } from './row-orders.ts';
import { tokenTable } from './token-table.ts';

const { format: _format, position: _position, ...PARAMETERS } = REPORT_PARAMETERS;

const FILES = [
  ['csv', 'CSV'],
  ['xlsx', 'XLSX'],
] as const;

const NOTHING_YET = html`
  <section class="nothing">
    <h2>No orders in this report</h2>
    <p>Choose other days, or the other flow.</p>
  </section>
`;

const asOf = ({ asOf: checkpoint, timeZone }: ReportAnswer, times: Times): Html => html`
  <p class="fine">
    Days in ${timeZone}.
    ${checkpoint === null ? 'Nothing has been received yet.' : html`Includes every event up to position <code>${checkpoint.position}</code>, recorded ${times.time(checkpoint.at)}.`}
    Every figure is a link to the orders that it is the sum of.
  </p>
`;

const page = (
  flow: Flow,
  texts: FilledTexts,
  question: ReportQuestion,
  answer: ReportAnswer,
  asked: ConsoleQuestion,
): PageAnswer => {
  const { personal, times } = asked;
  const text = (value: string): string => (personal === 'shown' ? value : withMaskedEmails(value));
  return showPage({
    title: flow === 'onramp' ? 'On-ramp report' : 'Off-ramp report',
    place: 'reports',
    main: html`
      <div class="heading">
        <h1>Reports</h1>
        ${downloads(`/console/files/reports/${flow}`, texts, FILES)}
      </div>
      ${flowTabs(flow, texts)} ${reportForm(flow, texts)}
      ${
        answer.rows.length === 0
          ? NOTHING_YET
          : html`
              ${reportCharts(answer, question, ordersBehind(question, asked), text)}
              <section>${reportTable(answer.rows, answer.totals, question, asked)} ${asOf(answer, times)}</section>
              ${tokenTable(answer.totals, flow, text)}
            `
      }
    `,
  });
};

/** The report of a flow, each of its figures open to the orders behind it. */
export const reportPage = (deps: QueryDependencies, flow: Flow): ConsoleRoute => ({
  method: 'get',
  path: `/console/reports/${flow}`,
  scopes: ['reports:read'],
  form: (texts) => html`${flowTabs(flow, texts)} ${reportForm(flow, texts)}`,
  answer: (asked) =>
    pipe(
      TE.fromEither(filledParameters(asked, PARAMETERS)),
      TE.bindW('moment', ({ query }) => asOfParameter(deps, query.asOf)),
      TE.let('question', ({ query, moment }): ReportQuestion => {
        const question = reportQuestion(flow, query);
        return moment === undefined ? question : { ...question, asOf: moment };
      }),
      TE.bindW('answer', ({ question }) => deps.readModels.report(question)),
      TE.map(({ texts, question, answer }) => page(flow, texts, question, answer, asked)),
    ),
});
