/** How a column stands in a workbook for people: what it is called, how wide it is, and how its numbers or times are shown. */
export type SheetColumn = { readonly header: string; readonly width: number; readonly numFmt?: string };

/** As many digits as came, two at least; what is copied or summed is the whole number. Tokens have no digits at least. */
const MONEY = '#,##0.00##########';
const TOKENS = 'General';
const COUNT = '#,##0';
export const TIME = 'yyyy-mm-dd hh:mm:ss';

const text = (header: string, width: number): SheetColumn => ({ header, width });
const number = (header: string, numFmt: string, width: number): SheetColumn => ({ header, width, numFmt });

const COLUMNS: ReadonlyMap<string, SheetColumn> = new Map([
  ['orderId', text('Order', 26)],
  ['flow', text('Flow', 10)],
  ['status', text('Status', 16)],
  ['phase', text('Phase', 12)],
  ['fiat.amount', number('Amount', MONEY, 16)],
  ['fiat.currency', text('Currency', 10)],
  ['token.symbol', text('Token', 10)],
  ['token.address', text('Token contract', 44)],
  ['token.chainId', number('Chain', '0', 10)],
  ['token.amount', number('Token amount', TOKENS, 18)],
  ['token.baseUnits', text('Base units', 26)],
  ['walletAddress', text('Wallet', 44)],
  ['txnHash', text('Transaction hash', 68)],
  ['commission', number('Commission', MONEY, 14)],
  ['conversionRate', number('Conversion rate', TOKENS, 16)],
  ['transactionId', text('Transaction id', 22)],
  ['tokensDeducted', number('Tokens deducted', TOKENS, 18)],
  ['tds', number('TDS', MONEY, 12)],
  ['tenantId', text('Tenant', 14)],
  ['utrs', text('UTRs', 22)],
  ['paidUtrs', text('UTRs paid', 22)],
  ['payouts', text('Payouts', 40)],
  ['customer.id', text('Customer', 22)],
  ['customer.email', text('E-mail', 28)],
  ['customer.name', text('Name', 22)],
  ['customer.phone', text('Phone', 22)],
  ['metaData', text('Further data', 40)],
  ['createdAt', number('Created (UTC)', TIME, 20)],
  ['settledAt', number('Settled (UTC)', TIME, 20)],
  ['firstReceivedAt', number('First received (UTC)', TIME, 20)],
  ['lastReceivedAt', number('Last received (UTC)', TIME, 20)],
  ['revision', number('Revision', COUNT, 10)],
  ['eventCount', number('Events', COUNT, 10)],
  ['overdue', text('Overdue', 10)],
  ['anomalyCodes', text('Anomalies', 30)],
  ['anomalies', text('Anomalies in full', 40)],
  ['day', text('Day', 12)],
  ['month', text('Month', 10)],
  ['token', text('Token', 10)],
  ['chainId', number('Chain', '0', 10)],
  ['currency', text('Currency', 10)],
  ['orders', number('Orders', COUNT, 10)],
  ['fiat.asked', number('Order value', MONEY, 18)],
  ['fiat.settled', number('Settled', MONEY, 18)],
  ['fiat.refunded', number('Refunded', MONEY, 16)],
  ['fiat.refunding', number('Being refunded', MONEY, 16)],
  ['fiat.expired', number('Expired', MONEY, 16)],
  ['fiat.deemed', number('Unconfirmed', MONEY, 16)],
  ['fiat.failed', number('Failed', MONEY, 16)],
  ['fiat.open', number('Open', MONEY, 16)],
  ['symbol', text('Token', 10)],
  ['address', text('Token contract', 44)],
  ['amount', number('Amount', TOKENS, 18)],
  ['baseUnits', text('Base units', 26)],
  ['averageConversionRate', number('Conversion rate, weighted', TOKENS, 24)],
  ['basis', text('By the day of', 20)],
  ['timeZone', text('Time zone', 20)],
  ['from', text('From', 20)],
  ['to', text('To', 20)],
  ['asOf.position', text('As of position', 20)],
  ['asOf.at', text('As of (UTC)', 26)],
]);

const STATUS = 'byStatus.';

/** The column of a JSON path. A status is called as it came; what nobody foresaw is called by its path. */
export const sheetColumn = (path: string): SheetColumn => {
  if (path.startsWith(STATUS)) return number(`Orders ${path.slice(STATUS.length)}`, COUNT, 16);
  return COLUMNS.get(path) ?? text(path, 20);
};
