import type { ReportRow, ReportSums } from '../../../projections/report/index.ts';
import { shownText } from '../../queries/masking/shown-text.ts';
import type { ReportQuestion } from '../../read-models/read-models.ts';
import type { ConsoleQuestion } from '../console-question.ts';
import { dataTable } from '../data-table.ts';
import { html, type Html } from '../html.ts';
import { anomalyCount, measureColumns, orderCount, reportMeasures } from './measures.ts';
import { ordersBehind } from './row-orders.ts';

/** What the table is known by, to the charts that are drawn from it. */
export const REPORT_TABLE = 'report';

const keysOf = ({ groupBy }: ReportQuestion): readonly ('day' | 'month' | 'token' | 'chainId')[] =>
  groupBy.flatMap((key) => (key === 'currency' ? [] : [key === 'chain' ? 'chainId' : key]));

const KEY_WORDS = { day: 'Day', month: 'Month', token: 'Token', chainId: 'Chain' } as const;

/** A report, each figure of it a link to the orders that it is the sum of. Currencies are never added. */
export const reportTable = (
  rows: readonly ReportRow[],
  totals: readonly ReportSums[],
  question: ReportQuestion,
  asked: Pick<ConsoleQuestion, 'session' | 'personal'>,
): Html => {
  const text = (value: string): string => shownText(value, asked.personal);
  const keys = keysOf(question);
  const orders = ordersBehind(question, asked);
  const columns = measureColumns(reportMeasures(question.flow), [...rows, ...totals], orders);
  const chartKeys = new Map(totals.map(({ currency }, i) => [currency, i]));
  const figures = (row: ReportRow): Html =>
    html`${orderCount(row, orders)} ${columns.cells(row)} ${anomalyCount(row, orders)}`;
  return dataTable(
    { label: 'The report', layout: 'cells labelled', id: REPORT_TABLE },
    [...keys.map((key) => KEY_WORDS[key]), 'Currency', { figure: 'Orders' }, ...columns.heads, { figure: 'Anomalies' }],
    rows.map(
      (row) => html`
        <tr data-key="${chartKeys.get(row.currency) ?? ''}" data-period="${row.day ?? row.month ?? ''}">
          ${keys.map((key) => html`<td>${text(row[key] ?? '')}</td>`)}
          <th scope="row">${text(row.currency)}</th>
          ${figures(row)}
        </tr>
      `,
    ),
    keys.length === 0
      ? null
      : html`<tfoot>
          ${totals.map(
            (row) => html`
              <tr>
                <th scope="row" colspan="${keys.length + 1}">Total ${text(row.currency)}</th>
                ${figures(row)}
              </tr>
            `,
          )}
        </tfoot>`,
  );
};
