import type { ReportSums } from '../../../projections/report/index.ts';
import type { Flow } from '../../domain/flow.ts';
import type { Phase } from '../../domain/status.ts';
import { money, moneyWidth } from '../amount.ts';
import { html, type Html } from '../html.ts';
import { FLOW_PHASES } from '../../queries/words/flow-phases.ts';
import { PHASE_WORDS } from '../../queries/words/status-words.ts';
import type { CellOf, OrdersBehind, RowOf } from './row-orders.ts';

/** A column of amounts. */
export type Measure = {
  readonly name: string;
  readonly of: (sums: ReportSums) => string;
  /** Which orders of its row a cell is the sum of. */
  readonly cell: CellOf;
  /** The phase that charts show it as; null for what is no part of what was asked for. */
  readonly phase: Phase | null;
};

/** What was asked for, and what became of it. */
export const fiatMeasures = (flow: Flow): readonly Measure[] => [
  { name: 'Order value', of: ({ fiat }) => fiat.asked, cell: {}, phase: null },
  ...FLOW_PHASES[flow].map((phase): Measure => ({
    name: PHASE_WORDS[phase],
    of: ({ fiat }) => fiat[phase],
    cell: { phase },
    phase,
  })),
];

/** Those, and what was kept back of settled orders. */
export const reportMeasures = (flow: Flow): readonly Measure[] => [
  ...fiatMeasures(flow),
  flow === 'onramp'
    ? { name: 'Commission', of: ({ commission }) => commission, cell: { phase: 'settled' }, phase: null }
    : { name: 'TDS', of: ({ tds }) => tds, cell: { phase: 'settled' }, phase: null },
];

/** A figure that is a link to the orders behind it, where there are any that one may see. */
export const figure = (shown: Html | string | number, isNothing: boolean, href: string | null): Html =>
  isNothing
    ? html`<span class="muted">${shown}</span>`
    : href === null
      ? html`${shown}`
      : html`<a href="${href}">${shown}</a>`;

/** Columns of amounts, aligned on the decimal point over all rows of a table. */
export const measureColumns = (measures: readonly Measure[], all: readonly ReportSums[], orders: OrdersBehind) => {
  const widths = new Map(
    measures.map(({ name, of }) => [name, moneyWidth(all.map((sums) => [of(sums), sums.currency] as const))]),
  );
  return {
    heads: measures.map(({ name }) => ({ figure: name })),
    cells: (row: ReportSums & RowOf): Html =>
      html`${measures.map(({ name, of, cell, phase }) => {
        const text = of(row);
        const shown = figure(money(text, row.currency, widths.get(name) ?? 0), text === '0', orders(row, cell));
        return phase === null
          ? html`<td class="figure" data-label="${name}">${shown}</td>`
          : html`<td class="figure" data-label="${name}" data-phase="${phase}">${shown}</td>`;
      })}`,
  };
};

/** The first columns after the keys of a row, and the last: how many orders, and how many of them are anomalous. */
export const orderCount = (row: ReportSums & RowOf, orders: OrdersBehind): Html =>
  html`<td class="figure" data-label="Orders">${figure(row.orders, row.orders === 0, orders(row))}</td>`;

export const anomalyCount = (row: ReportSums & RowOf, orders: OrdersBehind): Html => {
  const href = orders(row, { anomaly: 'lasting' });
  return html`<td class="figure" data-label="Anomalies">
    ${
      row.anomalies === 0 || href === null
        ? figure(row.anomalies, row.anomalies === 0, null)
        : html`<a class="concern" href="${href}">${row.anomalies}</a>`
    }
  </td>`;
};
