// Prints the settled orders of a ledger and what it reports of them, with a client that is generated from its document:
//   npm install oazapfts @oazapfts/runtime
//   npx oazapfts http://127.0.0.1:8080/openapi.json ledger.ts
//   LEDGER_URL=http://127.0.0.1:8080 LEDGER_API_KEY=… node client.ts
import { ok } from '@oazapfts/runtime';
import * as ledger from './ledger.ts';

ledger.defaults.baseUrl = process.env['LEDGER_URL'] ?? 'http://127.0.0.1:8080';
ledger.defaults.headers = { Authorization: `Bearer ${process.env['LEDGER_API_KEY'] ?? ''}` };

// `ok` throws what is no success as an error that carries status and problem.
let cursor: string | undefined;
do {
  const page = await ok(ledger.listOrders({ phase: 'settled', limit: 100, cursor }));
  for (const { orderId, fiat, token } of page.data) {
    console.log(orderId, fiat.amount, fiat.currency, token.amount, token.symbol);
  }
  cursor = page.next ?? undefined;
} while (cursor !== undefined);

const report = await ok(ledger.getOffRampReport({ groupBy: 'currency' }));
if (typeof report === 'string') throw new Error('asked for JSON, got CSV');
for (const { currency, orders, fiat } of report.rows) console.log(currency, orders, fiat.settled);
