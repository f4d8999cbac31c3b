import { isJsonArray, isJsonObject, member, type JsonObject } from '../../domain/json.ts';
import { columnAt, type ExportColumn } from './export-column.ts';
import type { ExportRequest } from './export-request.ts';

const anyItem: (item: JsonObject) => boolean = () => true;
const isPaid = (payout: JsonObject): boolean => member(payout, 'state') === 'paid';

type Gathered = (texts: readonly string[]) => readonly string[];

const gathered = (name: string, gather: Gathered, array: string, key: string, counts = anyItem): ExportColumn => ({
  name,
  isNumber: false,
  valueIn: (resource: JsonObject) => {
    const items = member(resource, array);
    if (items === undefined || !isJsonArray(items)) return null;
    const texts = items.map((item) => (isJsonObject(item) && counts(item) ? member(item, key) : null));
    return gather(texts.filter((text) => typeof text === 'string')).join(' ');
  },
});

/** Texts that a member of the objects of an array has, each once, blanks between them; of those objects that count. */
const textsIn = (name: string, array: string, key: string, counts = anyItem): ExportColumn =>
  gathered(name, (texts) => [...new Set(texts)], array, key, counts);

/** The same, one for each object. */
const everyTextIn = (name: string, array: string, key: string): ExportColumn =>
  gathered(name, (texts) => texts, array, key);

/** The columns of these paths, blanks between them. */
const texts = (paths: string): readonly ExportColumn[] => paths.split(' ').map((path) => columnAt(path));
const numbers = (paths: string): readonly ExportColumn[] => paths.split(' ').map((path) => columnAt(path, true));

/**
 * In the order of docs/spec/http.md, An order; `utrs`, `paidUtrs` (of payouts that succeeded: what a bank statement is
 * matched by) and `anomalyCodes` are what tables are matched and filtered by.
 */
export const ORDER_COLUMNS: readonly ExportColumn[] = [
  ...texts('orderId flow status phase'),
  ...numbers('fiat.amount'),
  ...texts('fiat.currency token.symbol token.address'),
  ...numbers('token.chainId token.amount token.baseUnits'),
  ...texts('walletAddress txnHash'),
  ...numbers('commission conversionRate'),
  ...texts('transactionId'),
  ...numbers('tokensDeducted tds'),
  ...texts('tenantId'),
  textsIn('utrs', 'payouts', 'utr'),
  textsIn('paidUtrs', 'payouts', 'utr', isPaid),
  ...texts('payouts customer.id customer.email customer.name customer.phone metaData'),
  ...texts('createdAt settledAt firstReceivedAt lastReceivedAt'),
  ...numbers('revision eventCount'),
  ...texts('overdue'),
  textsIn('anomalyCodes', 'anomalies', 'code'),
  ...texts('anomalies'),
];

const EVENT_COLUMNS: readonly ExportColumn[] = [
  ...texts('position stream revision eventId type recordedAt'),
  ...texts('data.orderId data.status data.utr data.fiat data.currency data'),
  ...texts('metadata.schemaVersion metadata.receivedAt metadata.signature metadata.secretId metadata.bodySha256'),
  ...texts('metadata.recordSha256 metadata.requestId metadata.$correlationId'),
];

const AUDIT_COLUMNS: readonly ExportColumn[] = [
  ...texts('position stream revision eventId type orderId status utr'),
  ...texts('receivedAt recordedAt secretId bodySha256 recordSha256 requestId'),
];

/** One row for each item: what names its parts, blanks between them, and its breaks as codes and as they are. */
export const RECONCILIATION_COLUMNS: readonly ExportColumn[] = [
  ...texts('itemId state rule flow currency'),
  ...numbers('fiat'),
  ...texts('day'),
  ...numbers('ageDays'),
  textsIn('breakCodes', 'breaks', 'code'),
  textsIn('orderIds', 'orders', 'orderId'),
  textsIn('utrs', 'payouts', 'utr'),
  textsIn('lineIds', 'lines', 'lineId'),
  textsIn('accounts', 'lines', 'account'),
  textsIn('bookedOn', 'lines', 'bookedOn'),
  everyTextIn('lineAmounts', 'lines', 'amount'),
  textsIn('txnHashes', 'transfers', 'txnHash'),
  ...texts('breaks decision.decision decision.note decision.by decision.at'),
  // What the amounts of the lines did to the account, in their order.
  everyTextIn('lineDirections', 'lines', 'direction'),
  // What it comes to in currencies beside its own, as many of both.
  everyTextIn('otherCurrencies', 'others', 'currency'),
  everyTextIn('otherFiat', 'others', 'fiat'),
];

/** The columns of a table: always these, in this order, whatever the rows hold. */
export const exportColumns = (request: ExportRequest): readonly ExportColumn[] => {
  if (request.kind === 'orders') return ORDER_COLUMNS;
  if (request.kind === 'reconciliation') return RECONCILIATION_COLUMNS;
  if (request.kind === 'events') return EVENT_COLUMNS;
  return request.verify ? [...AUDIT_COLUMNS, ...texts('verified')] : AUDIT_COLUMNS;
};
