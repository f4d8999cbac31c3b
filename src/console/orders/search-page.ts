import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { OrderId } from '../../domain/ids.ts';
import { shownText } from '../../queries/masking/shown-text.ts';
import { ORDER_LIST_PARAMETERS, parseOrderList, orderPage, type OrderPage } from '../../queries/orders/order-list.ts';
import { readParameters } from '../../queries/parameters/parameters.ts';
import { namedInAudit } from '../audit/named-in-audit.ts';
import type { LargePageDependencies } from '../large-page-dependencies.ts';
import type { ConsoleQuestion, ConsoleRoute } from '../console-question.ts';
import { tokenField } from '../frame.ts';
import { html, type Html } from '../html.ts';
import { orderPath } from '../links.ts';
import { seeOther, showPage, type PageAnswer } from '../page.ts';
import { shownOrder, type ShownOrder } from '../shown-order.ts';
import { orderTable } from './order-table.ts';
import { payoutWaits } from './payout-waits.ts';
import { totalLine } from './total-line.ts';

const further = (q: string, next: string | null, { session }: ConsoleQuestion): Html | null =>
  next === null
    ? null
    : html`
        <form class="pager" method="post" action="/console/search">
          ${tokenField(session)}
          <input type="hidden" name="q" value="${q}" />
          <input type="hidden" name="cursor" value="${next}" />
          <button class="quiet" type="submit">Older orders</button>
        </form>
      `;

const nothingFound = (q: string, question: ConsoleQuestion): Html => html`
  <section class="nothing">
    <h2>Nothing found</h2>
    <p>
      A search finds an order id, UTR, transaction hash, transaction id, wallet, customer id, e-mail address, phone
      number, or a reference that your own system sent along, each as a whole.
      <a href="/console/audit">Audit</a> also finds event ids, body digests and request ids.
    </p>
    ${
      // An e-mail address stands in no address of a page.
      shownText(q, 'masked') === q ? namedInAudit(q, question) : null
    }
  </section>
`;

const answerWith = (
  q: string,
  { orders, next, total }: Omit<OrderPage, 'orders'> & { readonly orders: readonly ShownOrder[] },
  waits: ReadonlyMap<OrderId, Html>,
  question: ConsoleQuestion,
): PageAnswer => {
  const [first] = orders;
  const isFirstPage = !question.form.has('cursor');
  // A search that finds one order leads to it at once.
  if (isFirstPage && first !== undefined && orders.length === 1 && next === null)
    return seeOther(orderPath(first.orderId));
  return showPage({
    title: 'Search',
    place: 'orders',
    searched: q,
    main: html`
      <div class="heading">
        <h1>Search</h1>
        <p class="muted">Orders with <q class="value">${q}</q></p>
      </div>
      ${
        orders.length === 0
          ? nothingFound(q, question)
          : html`${total === null ? null : totalLine(total, (text) => shownText(text, question.personal))}${orderTable(
              orders,
              question.times,
              'created',
              waits,
            )}${further(q, next, question)}`
      }
    `,
  });
};

/** Finds orders by whatever is known of them. Its words are posted, since they may be an e-mail address. */
export const searchPage = (deps: LargePageDependencies): ConsoleRoute => ({
  method: 'post',
  path: '/console/search',
  scopes: ['orders:read'],
  answer: (question) => {
    const q = question.form.get('q')?.trim() ?? '';
    if (q === '') return TE.right(seeOther('/console/orders'));
    const cursor = question.form.get('cursor');
    const texts = [
      ['q', q] as const,
      ['count', 'true'] as const,
      ...(cursor === undefined ? [] : [['cursor', cursor] as const]),
    ];
    return pipe(
      TE.fromEither(readParameters(texts, ORDER_LIST_PARAMETERS, (scope) => question.session.key.scopes.has(scope))),
      TE.chainW(parseOrderList(deps, question.personal)),
      TE.chain(orderPage(deps)),
      TE.map((found) => ({ ...found, orders: found.orders.map((order) => shownOrder(order, question.personal)) })),
      TE.bindTo('found'),
      TE.bind('waits', ({ found }) => TE.fromTask(payoutWaits(deps, found.orders, question))),
      TE.map(({ found, waits }) => answerWith(q, found, waits, question)),
    );
  },
});
