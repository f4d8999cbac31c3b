import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { ORDER_LIST_PARAMETERS, parseOrderList, orderPage, type OrderPage } from '../../queries/orders/order-list.ts';
import type { QueryDependencies } from '../../queries/query-dependencies.ts';
import type { ConsoleQuestion, ConsoleRoute } from '../console-question.ts';
import { downloads } from '../downloads.ts';
import { filledParameters, type FilledTexts } from '../filled-parameters.ts';
import { html } from '../html.ts';
import { showPage } from '../page.ts';
import { pager } from '../pager.ts';
import { shownOrder } from '../shown-order.ts';
import { orderFilterForm } from './order-filter-form.ts';
import { orderTable } from './order-table.ts';

/** What may stand in the page's URL: not `q`, which may be an e-mail address. */
const { q: _q, position: _position, ...PARAMETERS } = ORDER_LIST_PARAMETERS;

const FILES = [
  ['csv', 'CSV'],
  ['xlsx', 'XLSX'],
  ['ndjson', 'NDJSON'],
] as const;

const NO_ORDERS = html`
  <section class="nothing">
    <h2>No orders here</h2>
    <p>No order fits these filters. <a href="/console/orders">Show all orders</a>, or search with <kbd>/</kbd>.</p>
  </section>
`;

const PAGES = { further: 'Further orders', next: 'Older orders', none: 'No more orders' } as const;

const page = ({ orders, next }: OrderPage, texts: FilledTexts, { personal, times, session }: ConsoleQuestion) =>
  showPage({
    title: 'Orders',
    place: 'orders',
    // Further pages stay as they are: what comes stands on the first one.
    ...(texts.has('cursor') ? {} : { live: 'all' as const }),
    main: html`
      <div class="heading">
        <h1>Orders</h1>
        ${session.key.scopes.has('audit:read') ? downloads('/console/files/orders', texts, FILES) : null}
      </div>
      ${orderFilterForm(texts)}
      ${
        orders.length === 0
          ? NO_ORDERS
          : html`${orderTable(
              orders.map((order) => shownOrder(order, personal)),
              times,
            )}${pager('/console/orders', texts, next, PAGES)}`
      }
    `,
  });

/** Orders, filtered by what stands in the URL, a page at a time. */
export const ordersPage = (deps: QueryDependencies): ConsoleRoute => ({
  method: 'get',
  path: '/console/orders',
  scopes: ['orders:read'],
  form: orderFilterForm,
  answer: (question) =>
    pipe(
      TE.fromEither(filledParameters(question, PARAMETERS)),
      TE.chain(({ texts, query }) =>
        pipe(
          parseOrderList(deps, question.personal)({ ...query, q: null, position: null }),
          TE.chain(orderPage(deps)),
          TE.map((found) => page(found, texts, question)),
        ),
      ),
    ),
});
