import type { ReportSums } from '../../../projections/report/index.ts';
import type { Flow } from '../../domain/flow.ts';
import { isListed, phaseOf, rankOf } from '../../domain/status.ts';
import type { ConsoleQuestion } from '../console-question.ts';
import { dataTable } from '../data-table.ts';
import { html, type Html } from '../html.ts';
import { FLOW_WORDS } from '../../queries/words/flow-words.ts';
import { figure } from '../reports/measures.ts';
import { ordersBehind } from '../reports/row-orders.ts';
import { statusBadge } from '../status-badge.ts';
import type { DailyReport, Days } from './thirty-days.ts';

/** A provider may send any text as a status: so many of those that it does not list have a line at the most. */
const MOST_UNLISTED = 12;

/** Orders by status over all currencies: counts may be added, amounts never. */
export const countByStatus = (sums: readonly Pick<ReportSums, 'byStatus'>[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { byStatus } of sums) {
    for (const [status, orders] of byStatus) counts.set(status, (counts.get(status) ?? 0) + orders);
  }
  return counts;
};

/** In the order in which a flow goes through them, then those that the interface does not list, the most frequent first. */
export const inFlowOrder = (flow: Flow, counts: ReadonlyMap<string, number>): readonly string[] =>
  [...counts.keys()].toSorted((a, b) => {
    const [ofA, ofB] = [isListed(flow, a), isListed(flow, b)];
    if (ofA !== ofB) return ofA ? -1 : 1;
    return ofA ? rankOf(flow, a) - rankOf(flow, b) : (counts.get(b) ?? 0) - (counts.get(a) ?? 0);
  });

const count = (number: number, href: string | null): Html =>
  html`<td class="figure">${figure(number, number === 0, href)}</td>`;

/** Orders of a flow by the status that they are in now, today's and those of thirty days, as figures and as bars. */
export const statusTable = (
  { question, answer: { rows, totals } }: DailyReport,
  { today }: Days,
  asked: ConsoleQuestion,
  text: (value: string) => string,
): Html => {
  const { flow } = question;
  const all = countByStatus(totals);
  const ofToday = countByStatus(rows.filter(({ day }) => day === today));
  const statuses = inFlowOrder(flow, all);
  const unlisted = statuses.filter((status) => !isListed(flow, status));
  const left = new Set(unlisted.slice(MOST_UNLISTED));
  const greatest = Math.max(1, ...all.values());
  const orders = ordersBehind(question, asked);
  const ordersOfToday = ordersBehind({ ...question, from: today }, asked);
  return html`
    ${dataTable(
      { label: `${FLOW_WORDS[flow]}, orders by status`, layout: 'cells statuses' },
      ['Status now', { figure: 'Today' }, { figure: 'Last 30 days' }, { cells: html`<td aria-hidden="true"></td>` }],
      statuses
        .filter((status) => !left.has(status))
        .map((status) => {
          const number = all.get(status) ?? 0;
          return html`
            <tr>
              <th scope="row">${statusBadge(flow, text(status), phaseOf(flow, status))}</th>
              ${count(ofToday.get(status) ?? 0, ordersOfToday({}, { status }))} ${count(number, orders({}, { status }))}
              <td class="share" aria-hidden="true">
                <svg viewBox="0 0 ${greatest} 1" preserveAspectRatio="none">
                  <rect class="part ${phaseOf(flow, status)}" width="${number}" height="1"></rect>
                </svg>
              </td>
            </tr>
          `;
        }),
    )}
    ${
      left.size === 0
        ? null
        : html`<p class="fine">
            And ${left.size} more statuses that the provider's documentation does not list:
            <a href="/console/orders?anomaly=unlisted-status">all orders with an unknown status</a>.
          </p>`
    }
  `;
};
