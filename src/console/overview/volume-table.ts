import type { ReportRow, ReportSums } from '../../../projections/report/index.ts';
import type { ConsoleQuestion } from '../console-question.ts';
import { dataTable } from '../data-table.ts';
import { html, type Html } from '../html.ts';
import { FLOW_WORDS } from '../../queries/words/flow-words.ts';
import { anomalyCount, fiatMeasures, measureColumns, orderCount } from '../reports/measures.ts';
import { ordersBehind } from '../reports/row-orders.ts';
import { mostUsed } from './most-used.ts';
import type { DailyReport, Days } from './thirty-days.ts';

/** What was asked for today and in thirty days, by what became of it, in the currencies with the most orders. */
export const volumeTable = (
  { question, answer: { rows, totals } }: DailyReport,
  { today }: Days,
  asked: ConsoleQuestion,
  text: (value: string) => string,
): Html => {
  const orders = ordersBehind(question, asked);
  const { shown } = mostUsed(totals);
  const columns = measureColumns(fiatMeasures(question.flow), shown, orders);
  const currencies = new Set(shown.map(({ currency }) => currency));
  const line = (name: string, row: ReportSums & Partial<ReportRow>): Html => html`
    <tr>
      <td>${name}</td>
      <th scope="row">${text(row.currency)}</th>
      ${orderCount(row, orders)} ${columns.cells(row)} ${anomalyCount(row, orders)}
    </tr>
  `;
  const ofToday = rows.filter(({ day, currency }) => day === today && currencies.has(currency));
  return dataTable(
    { label: `${FLOW_WORDS[question.flow]}, asked for by phase`, layout: 'cells labelled' },
    ['Created', 'Currency', { figure: 'Orders' }, ...columns.heads, { figure: 'Anomalies' }],
    ofToday.length === 0
      ? html`<tr>
          <td>Today</td>
          <td class="muted" colspan="${4 + fiatMeasures(question.flow).length}">No orders yet</td>
        </tr>`
      : ofToday.map((row) => line('Today', row)),
    html`<tbody class="group">
      ${shown.map((row) => line('Last 30 days', row))}
    </tbody>`,
  );
};

/** The figures of a chart, a line for each of its days; scripts draw it from them. */
export const dayTable = (
  { id, name }: { readonly id: string; readonly name: string },
  labels: readonly string[],
  rows: readonly ReportRow[],
  { question }: DailyReport,
  asked: ConsoleQuestion,
): Html => {
  const orders = ordersBehind(question, asked);
  const measures = fiatMeasures(question.flow);
  const columns = measureColumns(measures, rows, orders);
  const byDay = new Map(rows.map((row) => [row.day, row]));
  return dataTable(
    { label: name, layout: 'cells labelled', id },
    ['Day', { figure: 'Orders' }, ...columns.heads],
    labels.flatMap((label) => {
      const row = byDay.get(label);
      return row === undefined
        ? []
        : [
            html`<tr data-key="0" data-period="${label}">
              <th scope="row">${label}</th>
              ${orderCount(row, orders)} ${columns.cells(row)}
            </tr>`,
          ];
    }),
  );
};
