import { numberText, type JsonObject } from '../../domain/json.ts';
import type { OrderResource } from '../orders/order-resource.ts';
import type { CellFormat } from '../tables/workbook/cell-styles.ts';
import { rowColumn, type RowColumn } from '../tables/workbook/row-column.ts';
import { ANOMALY_WORDS } from '../words/anomaly-words.ts';
import { FLOW_WORDS } from '../words/flow-words.ts';
import { PAYOUT_WORDS } from '../words/payout-words.ts';
import { PHASE_WORDS, statusWords } from '../words/status-words.ts';
import { cellTextOf } from './export-column.ts';

type Payout = OrderResource['payouts'][number];

/** A payout attempt with its order. */
type PayoutRow = { readonly payout: Payout; readonly order: OrderResource };

/** Distinct texts in one cell. */
const joined = (texts: readonly (string | null)[], between: string): string =>
  [...new Set(texts.filter((text) => text !== null))].join(between);

const utrs = (payouts: readonly Payout[]): string =>
  joined(
    payouts.map(({ utr }) => utr),
    ' ',
  );

const anomalyNames = ({ anomalies }: OrderResource): string =>
  joined(
    anomalies.map(({ code }) => ANOMALY_WORDS[code].name),
    '; ',
  );

/** What stands directly in an object, for people: `name: value`, `;` between; deeper things as JSON, what is blank left out. */
const pairsText = (object: JsonObject): string =>
  Object.entries(object)
    .map(([name, value]) => [name, cellTextOf(value)] as const)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name}: ${text}`)
    .join('; ');

/** A heading says whose clock its times are of. */
const inZone = <Row>(columns: readonly RowColumn<Row>[], timeZone: string): readonly RowColumn<Row>[] =>
  columns.map((column) =>
    column.format === 'time' ? { ...column, heading: `${column.heading} (${timeZone})` } : column,
  );

const ofOrder = (
  heading: string,
  width: number,
  format: CellFormat,
  textOf: (order: OrderResource) => string | null,
): RowColumn<OrderResource> => rowColumn(heading, width, format, textOf);

/** What one reckons with, and prints. */
const PRINTED: readonly RowColumn<OrderResource>[] = [
  ofOrder('Order', 38, 'text', ({ orderId }) => orderId),
  ofOrder('Flow', 10, 'text', ({ flow }) => FLOW_WORDS[flow]),
  ofOrder('Created', 20, 'time', ({ createdAt }) => createdAt),
  ofOrder('Settled', 20, 'time', ({ settledAt }) => settledAt),
  ofOrder('Phase', 14, 'text', ({ phase }) => PHASE_WORDS[phase]),
  ofOrder('Status', 22, 'text', ({ flow, status }) => statusWords(flow, status)),
  ofOrder('Currency', 10, 'text', ({ fiat }) => fiat.currency),
  ofOrder('Amount', 18, 'money', ({ fiat }) => fiat.amount),
  ofOrder('Commission', 18, 'money', ({ commission }) => commission),
  ofOrder('TDS', 18, 'money', ({ tds }) => tds),
  ofOrder('Token', 10, 'text', ({ token }) => token.symbol),
  ofOrder('Token amount', 18, 'tokens', ({ token }) => token.amount),
  ofOrder('Conversion rate', 16, 'tokens', ({ conversionRate }) => conversionRate),
  ofOrder('UTRs paid', 24, 'text', ({ payouts }) => utrs(payouts.filter(({ state }) => state === 'paid'))),
  ofOrder('Anomalies', 30, 'text', anomalyNames),
];

/** What one looks up. */
const BEHIND: readonly RowColumn<OrderResource>[] = [
  ofOrder('UTRs', 24, 'text', ({ payouts }) => utrs(payouts)),
  ofOrder('Transaction id', 22, 'text', ({ transactionId }) => transactionId),
  ofOrder('Transaction hash', 68, 'text', ({ txnHash }) => txnHash),
  ofOrder('Wallet', 44, 'text', ({ walletAddress }) => walletAddress),
  ofOrder('Tokens deducted', 18, 'tokens', ({ tokensDeducted }) => tokensDeducted),
  ofOrder('Base units', 26, 'tokens', ({ token }) => token.baseUnits),
  ofOrder('Token contract', 44, 'text', ({ token }) => token.address),
  ofOrder('Chain', 9, 'plain', ({ token }) => numberText(token.chainId)),
  ofOrder('Customer', 22, 'text', ({ customer }) => customer.id),
  ofOrder('Name', 22, 'text', ({ customer }) => customer.name),
  ofOrder('E-mail', 28, 'text', ({ customer }) => customer.email),
  ofOrder('Phone', 26, 'text', ({ customer }) => (customer.phone === null ? null : pairsText(customer.phone))),
  ofOrder('Tenant', 14, 'text', ({ tenantId }) => tenantId),
  ofOrder('Further data', 40, 'text', ({ metaData }) => pairsText(metaData)),
  ofOrder('Anomalies in full', 60, 'text', ({ anomalies }) =>
    joined(
      anomalies.map(({ detail }) => detail),
      '; ',
    ),
  ),
  ofOrder('Overdue', 9, 'text', ({ overdue }) => (overdue ? 'yes' : 'no')),
  ofOrder("Provider's status", 16, 'text', ({ status }) => status),
  ofOrder('First received', 20, 'time', ({ firstReceivedAt }) => firstReceivedAt),
  ofOrder('Last received', 20, 'time', ({ lastReceivedAt }) => lastReceivedAt),
  ofOrder('Revision', 9, 'count', ({ revision }) => String(revision)),
  ofOrder('Events', 9, 'count', ({ eventCount }) => String(eventCount)),
];

/** How many of the columns of orders are printed, from the first on. */
export const PRINTED_COLUMNS = PRINTED.length;

/** The columns of orders in a workbook. */
export const orderColumns = (timeZone: string): readonly RowColumn<OrderResource>[] =>
  inZone([...PRINTED, ...BEHIND], timeZone);

const PAYOUTS: readonly RowColumn<PayoutRow>[] = [
  rowColumn('UTR', 26, 'text', ({ payout }) => payout.utr),
  rowColumn('Payout', 14, 'text', ({ payout }) => PAYOUT_WORDS[payout.state]),
  rowColumn('Order', 38, 'text', ({ order }) => order.orderId),
  rowColumn('Currency', 10, 'text', ({ order }) => order.fiat.currency),
  rowColumn('Amount of the order', 20, 'money', ({ order }) => order.fiat.amount),
  rowColumn('TDS', 18, 'money', ({ order }) => order.tds),
  rowColumn('Settled', 20, 'time', ({ order }) => order.settledAt),
  rowColumn('Created', 20, 'time', ({ order }) => order.createdAt),
  rowColumn('Phase of the order', 18, 'text', ({ order }) => PHASE_WORDS[order.phase]),
  rowColumn('Transaction id', 22, 'text', ({ order }) => order.transactionId),
  rowColumn('Anomalies', 30, 'text', ({ order }) => anomalyNames(order)),
];

/** The columns of payout attempts. An order that was paid twice stands there twice, with the amount that it has once. */
export const payoutColumns = (timeZone: string): readonly RowColumn<PayoutRow>[] => inZone(PAYOUTS, timeZone);

/** The payout attempts of an order. */
export const payoutRows = (order: OrderResource): readonly PayoutRow[] =>
  order.payouts.map((payout) => ({ payout, order }));
