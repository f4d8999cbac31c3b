import { numberText } from '../../domain/json.ts';
import type { Flow } from '../../domain/flow.ts';
import { cellsOf, rowColumn, type RowColumn } from '../tables/workbook/row-column.ts';
import { rowsAtHand, type Sheet, type SheetRow } from '../tables/workbook/sheet.ts';
import { daysWords } from '../words/days-words.ts';
import { FLOW_PHASES } from '../words/flow-phases.ts';
import { FLOW_WORDS } from '../words/flow-words.ts';
import { PHASE_WORDS, statusWords } from '../words/status-words.ts';
import type { ReportResource } from './report-resource.ts';

type Row = ReportResource['rows'][number];
type Token = Row['tokens'][number];
type TokenRow = { readonly row: Row; readonly token: Token };

/** What a report is of, in one line: `Off-ramp, settled 1 to 31 October 2026, Asia/Kolkata`. */
export const reportTitle = ({ flow, basis, from, to, timeZone }: Omit<ReportResource, 'rows' | 'totals'>): string =>
  `${FLOW_WORDS[flow]}, ${basis} ${daysWords({ from, to })}, ${timeZone}`;

/** What a row is grouped by, then its currency. */
const keyColumns = ({ groupBy }: Pick<ReportResource, 'groupBy'>): readonly RowColumn<Row>[] => {
  const keys: readonly RowColumn<Row>[] = groupBy.flatMap((key): readonly RowColumn<Row>[] => {
    if (key === 'day') return [rowColumn('Day', 12, 'text', ({ day }) => day ?? null)];
    if (key === 'month') return [rowColumn('Month', 10, 'text', ({ month }) => month ?? null)];
    if (key === 'token') return [rowColumn('Token', 10, 'text', ({ token }) => token ?? null)];
    return key === 'chain'
      ? [rowColumn('Chain', 10, 'plain', ({ chainId }) => (chainId === undefined ? null : numberText(chainId)))]
      : [];
  });
  return [...keys, rowColumn('Currency', 10, 'text', ({ currency }) => currency)];
};

const measureColumns = (flow: Flow, rows: readonly Row[]): readonly RowColumn<Row>[] => {
  const statuses = [...new Set(rows.flatMap(({ byStatus }) => Object.keys(byStatus)))].toSorted();
  return [
    rowColumn('Orders', 10, 'count', ({ orders }) => String(orders)),
    rowColumn('Order value', 22, 'money', ({ fiat }) => fiat.asked),
    ...FLOW_PHASES[flow].map((phase) => rowColumn<Row>(PHASE_WORDS[phase], 22, 'money', ({ fiat }) => fiat[phase])),
    flow === 'onramp'
      ? rowColumn('Commission', 20, 'money', ({ commission }) => commission)
      : rowColumn('TDS', 20, 'money', ({ tds }) => tds),
    rowColumn('Anomalies', 11, 'count', ({ anomalies }) => String(anomalies)),
    ...statuses.map((status) =>
      rowColumn<Row>(`Orders: ${statusWords(flow, status)} (${status})`, 18, 'count', ({ byStatus }) =>
        Object.hasOwn(byStatus, status) ? String(byStatus[status]) : null,
      ),
    ),
  ];
};

const NO_TIME = (text: string): string => text;

/** The figures of a report: its rows, and below them a total for each currency. */
export const figuresSheet = <Failure>(name: string, report: ReportResource): Sheet<Failure> => {
  const keys = keyColumns(report);
  const columns = [...keys, ...measureColumns(report.flow, [...report.rows, ...report.totals])];
  const isGrouped = keys.length > 1;
  const totals = report.totals.map((sums): SheetRow => {
    const [first, ...cells] = cellsOf(columns, sums, NO_TIME);
    return { cells: [isGrouped ? 'Total' : (first ?? null), ...cells], isTotal: true };
  });
  const rows = report.rows.map((row): SheetRow => ({ cells: cellsOf(columns, row, NO_TIME) }));
  return {
    name,
    title: reportTitle(report),
    columns,
    frozenColumns: keys.length,
    // How many orders stand in each status is looked up, not printed.
    printedColumns: columns.findIndex(({ heading }) => heading === 'Anomalies') + 1,
    isFiltered: true,
    // Without groups a row for each currency is its total already.
    rows: () => rowsAtHand(isGrouped ? [...rows, ...totals] : rows),
  };
};

/** The tokens that settled orders moved, a line for each row of the report, contract and chain. */
export const tokensSheet = <Failure>(name: string, report: ReportResource): Sheet<Failure> => {
  const { flow } = report;
  const keys = keyColumns(report).filter(({ heading }) => heading !== 'Token' && heading !== 'Chain');
  const columns: readonly RowColumn<TokenRow>[] = [
    ...keys.map(({ textOf, ...column }) => ({ ...column, textOf: ({ row }: TokenRow) => textOf(row) })),
    rowColumn('Token', 12, 'text', ({ token }) => token.symbol),
    rowColumn('Chain', 10, 'plain', ({ token }) => numberText(token.chainId)),
    rowColumn(flow === 'onramp' ? 'Transferred' : 'Deducted', 26, 'tokens', ({ token }) => token.amount),
    ...(flow === 'onramp'
      ? [
          rowColumn<TokenRow>('Conversion rate, weighted', 18, 'tokens', ({ token }) => token.averageConversionRate),
          rowColumn<TokenRow>('Base units', 34, 'tokens', ({ token }) => token.baseUnits),
        ]
      : []),
    rowColumn('Token contract', 46, 'text', ({ token }) => token.address),
  ];
  const rows = report.rows.flatMap((row) => row.tokens.map((token): TokenRow => ({ row, token })));
  return {
    name,
    title: `${reportTitle(report)}: tokens of settled orders`,
    columns,
    isFiltered: true,
    rows: () => rowsAtHand(rows.map((row) => ({ cells: cellsOf(columns, row, NO_TIME) }))),
  };
};
