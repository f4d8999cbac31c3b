import { Command } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import { isJsonArray, isJsonObject, member, type JsonObject } from '../domain/json.ts';
import { cellTextOf } from '../queries/exports/export-column.ts';
import { ORDER_COLUMNS } from '../queries/exports/export-columns.ts';
import { ORDER_LIST_PARAMETERS, orderList, parseOrderList } from '../queries/orders/order-list.ts';
import { csvLines } from '../queries/tables/csv.ts';
import { ask, parametersOf } from './answer.ts';
import { cellText } from './output/cell-text.ts';
import type { CommandContext, Terminal } from './command-context.ts';
import { failing, type CommandFailure } from './command-failure.ts';
import type { ExitStatus } from './exit-status.ts';
import { objectsOf } from './output/json-table.ts';
import { writeListPage } from './output/list-page.ts';
import { withLedger } from './with-ledger.ts';

type Filters = Readonly<Record<string, string | true | undefined>>;

type Options = Filters & { readonly format?: string; readonly pii?: true; readonly json?: true };

type Form = 'json' | 'csv' | 'table';

const EXAMPLES = `
Examples:
  ramp-ledger orders --phase deemed                             payouts that neither succeeded nor failed yet
  ramp-ledger orders --flow offramp --basis settled --from 2026-01-01 --to 2026-01-31 --count
  ramp-ledger orders --q +919876543210 --pii                    by phone number, which is personal
  ramp-ledger orders --status completed --format csv > completed.csv
  ramp-ledger orders --anomaly any --json                       as GET /v1/orders?anomaly=any gives it

One page; ramp-ledger export orders writes all of them.
`;

const SHOWN = ['orderId', 'createdAt', 'flow', 'status', 'phase', 'fiat', 'currency', 'token', 'anomalies'] as const;

/** What tells least to somebody who looks for an order, first: a status tells its phase. */
const DISPENSABLE = ['phase', 'flow', 'token', 'anomalies'];

/** An order as a line of the table. */
const asLine = (order: JsonObject): JsonObject => {
  const [fiat, token, anomalies] = ['fiat', 'token', 'anomalies'].map((name) => member(order, name));
  const inside = (object: typeof fiat, key: string) =>
    object !== undefined && isJsonObject(object) ? (member(object, key) ?? null) : null;
  const codes =
    anomalies !== undefined && isJsonArray(anomalies) ? anomalies.map((one) => cellText(inside(one, 'code'))) : [];
  const createdAt = member(order, 'createdAt');
  return {
    ...order,
    // Fractions of a second help nobody who reads a table.
    createdAt: typeof createdAt === 'string' ? createdAt.replace(/\.\d+Z$/, 'Z') : null,
    fiat: inside(fiat, 'amount'),
    currency: inside(fiat, 'currency'),
    token: inside(token, 'symbol'),
    anomalies: codes.length === 0 ? null : [...new Set(codes)].join(' '),
  };
};

const totalLine = (total: JsonObject): string => {
  const sums = objectsOf(total, 'byCurrency').map(
    (sum) => `${cellText(member(sum, 'fiat'))} ${cellText(member(sum, 'currency'))}`,
  );
  const bound = member(total, 'atLeast') === true ? 'at least ' : '';
  const orders = member(total, 'orders');
  return `${bound}${[`${cellText(orders)} ${orders === 1 ? 'order' : 'orders'}`, ...sums].join(', ')}\n`;
};

const write = (terminal: Terminal, list: JsonObject, form: Form): void => {
  if (form === 'csv') {
    const rows = objectsOf(list, 'data').map((row) => ORDER_COLUMNS.map(({ valueIn }) => cellTextOf(valueIn(row))));
    // A file, whose line ends are its own.
    terminal.out(Buffer.from(csvLines([ORDER_COLUMNS.map(({ name }) => name), ...rows])));
    const next = member(list, 'next');
    if (typeof next === 'string') terminal.note(`there is more: --cursor ${next}\n`);
    return;
  }
  const alignments = SHOWN.map((name) => (name === 'fiat' ? 'number' : 'text'));
  const table = { names: SHOWN, shown: asLine, alignments, dispensable: DISPENSABLE };
  writeListPage(terminal, list, { json: form === 'json', ...table });
  const total = member(list, 'total');
  if (form === 'table' && total !== undefined && isJsonObject(total)) terminal.out(totalLine(total));
};

const formOf = (format: string | undefined, json: boolean): E.Either<CommandFailure, Form> => {
  if (format === undefined) return E.right(json ? 'json' : 'table');
  if (format !== 'csv' && format !== 'json') return failing(2, '--format: expected one of csv, json');
  return json && format === 'csv' ? failing(2, '--json and --format csv are two forms; ask for one') : E.right(format);
};

/** `orders`: a page of the list of orders, by the filters of HTTP. */
export const ordersCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('orders')
    .description('list orders, newest created first')
    .option('--flow <flow>', 'onramp or offramp')
    .option('--status <status>', 'orders that show this status, in any letter case')
    .option('--currency <code>', 'the fiat currency')
    .option('--token <token>', "the token's symbol or address")
    .option('--chain-id <id>', 'the chain')
    .option('--phase <phase>', 'open, settled, deemed, failed, refunding, refunded or expired')
    .option('--from <day>', 'the first business day')
    .option('--to <day>', 'the last business day')
    .option('--basis <basis>', 'the day that counts: created (usual) or settled')
    .option(
      '--q <text>',
      'order id, utr, txnHash, transactionId, wallet, customer id, e-mail, phone or a text of metaData',
    )
    .option('--anomaly <code>', 'orders with this anomaly, with any, with a lasting or a clock one')
    .option('--as-of <moment>', 'what was known at a position or an instant')
    .option('--count', 'count and sum the whole list too')
    .option('--limit <n>', 'how many at the most: 1 to 500, 50 where nothing is said')
    .option('--cursor <cursor>', 'go on behind the page that named this cursor')
    .option('--pii', 'with personal data, which is masked otherwise; searches by it too')
    .option('--format <format>', 'csv or json; a table where nothing is said')
    .option('--json', 'print the HTTP resource')
    .addHelpText('after', EXAMPLES)
    .action(async ({ json, pii, format, ...filters }: Options) => {
      exit(
        await withLedger(context, async (ledger): Promise<E.Either<CommandFailure, ExitStatus>> => {
          const form = formOf(format, json === true);
          if (E.isLeft(form)) return form;
          const query = parametersOf(filters, ORDER_LIST_PARAMETERS, pii === true);
          if (E.isLeft(query)) return query;
          const personal = pii === true ? 'shown' : 'masked';
          const list = await ask(context, ledger, {
            parse: (deps) => parseOrderList(deps, personal)(query.right),
            answer: (deps) => orderList(deps, personal),
          });
          if (E.isLeft(list)) return list;
          write(context.terminal, list.right, form.right);
          return E.right(0);
        }),
      );
    });
