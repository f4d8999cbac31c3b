import type { ReportRow, ReportSums } from '../../../projections/report/index.ts';
import type { Flow } from '../../domain/flow.ts';
import { phaseOf } from '../../domain/status.ts';
import { money, moneyWidth } from '../amount.ts';
import type { ConsoleQuestion } from '../console-question.ts';
import { dataTable } from '../data-table.ts';
import { html, type Html } from '../html.ts';
import { FLOW_WORDS } from '../../queries/words/flow-words.ts';
import { figure } from '../reports/measures.ts';
import { ordersBehind, type OrdersBehind } from '../reports/row-orders.ts';
import { mostUsed } from './most-used.ts';
import type { Days, FlowDays } from './thirty-days.ts';

/** A column of the table: the sums of a currency over some days. */
type Column = {
  readonly name: string;
  readonly sums: (currency: string) => ReportSums | undefined;
  readonly orders: OrdersBehind;
};

const settledOrders = (flow: Flow, { byStatus }: ReportSums): number => {
  let count = 0;
  for (const [status, orders] of byStatus) if (phaseOf(flow, status) === 'settled') count += orders;
  return count;
};

const byCurrency = <A extends ReportSums>(rows: readonly A[]): ((currency: string) => A | undefined) => {
  const found = new Map(rows.map((row) => [row.currency, row]));
  return (currency) => found.get(currency);
};

const on = (rows: readonly ReportRow[], day: string) => byCurrency(rows.filter((row) => row.day === day));

const columnsOf = ({ settled }: FlowDays, { today, yesterday }: Days, asked: ConsoleQuestion): readonly Column[] => {
  const { question, answer } = settled;
  return [
    { name: 'Today', sums: on(answer.rows, today), orders: ordersBehind({ ...question, from: today }, asked) },
    {
      name: 'Yesterday',
      sums: on(answer.rows, yesterday),
      orders: ordersBehind({ ...question, from: yesterday, to: yesterday }, asked),
    },
    {
      name: 'Last 30 days',
      sums: byCurrency(answer.totals),
      orders: ordersBehind(question, asked),
    },
  ];
};

const cells = (flow: Flow, currency: string, { name, sums, orders }: Column, width: number): Html => {
  const found = sums(currency);
  const [text, count] = found === undefined ? ['0', 0] : [found.fiat.settled, settledOrders(flow, found)];
  const href = orders({ currency }, { phase: 'settled' });
  return html`<td class="figure" data-label="${name}">${figure(money(text, currency, width), count === 0, href)}</td>
    <td class="figure count">${figure(count, count === 0, href)}</td>`;
};

/** What was settled today, yesterday and in thirty days, by the day of settlement, in the currencies with the most orders; they are never added. */
export const settledTable = (
  flows: readonly FlowDays[],
  days: Days,
  asked: ConsoleQuestion,
  text: (value: string) => string,
): Html => {
  const names = ['Today', 'Yesterday', 'Last 30 days'];
  const all = flows.map((flow) => ({
    flow,
    columns: columnsOf(flow, days, asked),
    totals: mostUsed(flow.settled.answer.totals).shown,
  }));
  const widths = names.map((_, i) =>
    moneyWidth(
      all.flatMap(({ columns, totals }) =>
        totals.map(({ currency }) => [columns[i]?.sums(currency)?.fiat.settled ?? '0', currency] as const),
      ),
    ),
  );
  return dataTable(
    { label: 'Settled', layout: 'cells labelled counted' },
    [
      'Flow',
      'Currency',
      {
        cells: html`${names.map(
          (name) =>
            html`<th scope="col" class="figure">${name}</th>
              <th scope="col" class="figure count">Orders</th>`,
        )}`,
      },
    ],
    all.flatMap(({ flow, columns, totals }) =>
      totals.map(
        ({ currency }) => html`
          <tr>
            <td>${FLOW_WORDS[flow.flow]}</td>
            <th scope="row">${text(currency)}</th>
            ${columns.map((column, i) => cells(flow.flow, currency, column, widths[i] ?? 0))}
          </tr>
        `,
      ),
    ),
  );
};
