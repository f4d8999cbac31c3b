import type { BusinessDay } from '../../domain/business-day.ts';
import type { ReportRow } from '../../../projections/report/index.ts';
import type { ReportAnswer, ReportQuestion } from '../../read-models/read-models.ts';
import { daysFrom, monthsFrom } from '../business-days.ts';
import { periodChart, phaseKey, type Period } from '../charts/period-chart.ts';
import { html, type Html } from '../html.ts';
import { FLOW_PHASES } from '../../queries/words/flow-phases.ts';
import { REPORT_TABLE } from './report-table.ts';
import type { OrdersBehind } from './row-orders.ts';

/** More bars than this could not be told apart. */
const MOST_PERIODS = 800;

type Grain = 'day' | 'month';

/** The only thing that a report is grouped by, where that is a time; null: there is nothing to draw over. */
const grainOf = ({ groupBy }: ReportQuestion): Grain | null => {
  const [key, ...others] = groupBy.filter((group) => group !== 'currency');
  return (key === 'day' || key === 'month') && others.length === 0 ? key : null;
};

/** The bound of a report, a day, as what its rows are of: a day or a month. */
const bound = (day: string | null, row: string): string => (day === null ? row : day.slice(0, row.length));

/** Every period of the report, those without orders too; where these are too many, from its first order to its last. */
const periodsOf = (grain: Grain, rows: readonly ReportRow[], { from, to }: ReportQuestion): readonly string[] => {
  const labels = rows.map((row) => row[grain] ?? '');
  const [first, last] = [labels[0] ?? '', labels.at(-1) ?? ''];
  const every = grain === 'day' ? daysFrom : monthsFrom;
  return (
    every(bound(from, first), bound(to, last), MOST_PERIODS) ??
    every(first, last, MOST_PERIODS) ??
    [...new Set(labels)].slice(-MOST_PERIODS)
  );
};

/** What was asked for over time by what became of it, a chart for each currency; null where it is not grouped by time. */
export const reportCharts = (
  { rows, totals }: ReportAnswer,
  question: ReportQuestion,
  orders: OrdersBehind,
  text: (value: string) => string,
  today: BusinessDay,
): Html | null => {
  const grain = grainOf(question);
  if (grain === null) return null;
  const phases = FLOW_PHASES[question.flow];
  const labels = periodsOf(grain, rows, question);
  const now = today.slice(0, grain === 'day' ? today.length : '2026-01'.length);
  const drawn = question.basis === 'settled' ? 'Settled' : 'Order value';
  const chart = (currency: string, key: number): Html => {
    const found = new Map(rows.filter((row) => row.currency === currency).map((row) => [row[grain] ?? '', row]));
    const period = (label: string): Period => {
      const row = found.get(label);
      return {
        label,
        asked: row?.fiat.asked ?? '0',
        parts: row === undefined ? [] : phases.map((phase) => ({ phase, amount: row.fiat[phase] })),
        href: row === undefined ? null : orders(row),
        unfinished: label === now,
      };
    };
    return periodChart({
      title: `${drawn} by ${grain}, ${text(currency)}`,
      unit: text(currency),
      periods: labels.map(period),
      table: REPORT_TABLE,
      key: String(key),
    });
  };
  return html`
    <section aria-label="Charts">
      ${phaseKey(phases, labels.includes(now) ? (grain === 'day' ? 'Today' : 'This month') : null)}
      <div class="charts">${totals.map(({ currency }, i) => chart(currency, i))}</div>
    </section>
  `;
};
