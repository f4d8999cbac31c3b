import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { QueryFailure } from '../../queries/failure/query-failure.ts';
import { shownText, shownWhole } from '../../queries/masking/shown-text.ts';
import { ORDER_LIST_PARAMETERS, parseOrderList, orderPage, type OrderPage } from '../../queries/orders/order-list.ts';
import { readParameters } from '../../queries/parameters/parameters.ts';
import type { LargePageDependencies } from '../large-page-dependencies.ts';
import type { OrderTotal } from '../../read-models/order-sums.ts';
import { asOfMark } from '../as-of-mark.ts';
import { statusWords } from '../../queries/words/status-words.ts';
import type { ConsoleQuestion, ConsoleRoute } from '../console-question.ts';
import { downloads } from '../downloads.ts';
import { filledParameters, type FilledTexts } from '../filled-parameters.ts';
import { html } from '../html.ts';
import { showPage } from '../page.ts';
import { pager } from '../pager.ts';
import { shownOrder } from '../shown-order.ts';
import { nothingFits, SOMETHING_FOUND, whyNothing, type NothingFound } from './why-nothing.ts';
import { NOTHING_OFFERED, orderFilterForm, type Offered } from './order-filter-form.ts';
import { orderTable } from './order-table.ts';
import { printedFilter } from './printed-filter.ts';
import { totalLine } from './total-line.ts';

/** What may stand in the page's URL: not `q`, which may be an e-mail address. */
const { q: _q, position: _position, count: _count, ...PARAMETERS } = ORDER_LIST_PARAMETERS;

const FILES = [
  ['csv', 'CSV'],
  ['xlsx', 'Workbook (XLSX)'],
  ['ndjson', 'NDJSON'],
] as const;

const PAGES = { further: 'Further orders', next: 'Older orders', none: 'No more orders' } as const;

/** What the page shows: a page of the list, what its fields offer, and, of an empty one, what makes it so. */
type Seen = OrderPage & { readonly offered: Offered; readonly nothing: NothingFound };

const page = (
  { orders, next, total, asOf, offered, nothing }: Seen,
  texts: FilledTexts,
  { personal, times, session }: ConsoleQuestion,
) =>
  showPage({
    title: 'Orders',
    place: 'orders',
    // Further pages stay as they are: what comes stands on the first one. What was known then does not change.
    ...(texts.has('cursor') || asOf !== null ? {} : { live: 'all' as const }),
    main: html`
      <div class="heading">
        <h1>Orders</h1>
        ${session.key.scopes.has('audit:read') ? downloads('/console/files/orders', texts, FILES) : null}
      </div>
      <p class="printed">${printedFilter(texts, times.timeZone)}</p>
      ${orderFilterForm(texts, offered)} ${asOf === null ? null : asOfMark(asOf, '/console/orders', texts, times)}
      ${total === null || orders.length === 0 ? null : totalLine(total, (text) => shownText(text, personal))}
      ${
        orders.length === 0
          ? nothingFits(nothing)
          : html`${orderTable(
              orders.map((order) => shownOrder(order, personal)),
              times,
              texts.get('basis') === 'settled' ? 'settled' : 'created',
            )}${pager('/console/orders', texts, next, PAGES)}`
      }
    `,
  });

/** What a list with these parameters comes to. */
const totalOf =
  (deps: LargePageDependencies, { session, personal }: ConsoleQuestion) =>
  (texts: FilledTexts): TE.TaskEither<QueryFailure, OrderTotal | null> =>
    pipe(
      TE.fromEither(readParameters([...texts], PARAMETERS, (scope) => session.key.scopes.has(scope))),
      TE.chainW((query) =>
        parseOrderList(deps, personal)({ ...query, q: null, position: null, cursor: null, limit: 1, count: 'true' }),
      ),
      TE.chain(orderPage(deps)),
      TE.map(({ total }) => total),
    );

const whyNone = (
  deps: LargePageDependencies,
  texts: FilledTexts,
  question: ConsoleQuestion,
): TE.TaskEither<QueryFailure, NothingFound> =>
  whyNothing(new Map([...texts].filter(([name]) => name !== 'cursor')), totalOf(deps, question));

const offeredBy = (
  { readModels }: LargePageDependencies,
  { now, personal }: ConsoleQuestion,
): TE.TaskEither<QueryFailure, Offered> =>
  pipe(
    readModels.tallies(now),
    TE.map(({ orders, currencies, tokens, chainIds }) => {
      const named = (status: string): readonly string[] => [
        ...new Set(orders.filter((one) => one.status === status).map(({ flow }) => statusWords(flow, status))),
      ];
      const statuses = shownWhole(
        orders.map(({ status }) => status),
        personal,
      ).map((status) => ({ status, names: named(status) }));
      const inOrder = new Intl.Collator('en', { numeric: true });
      return {
        statuses,
        currencies: shownWhole(currencies, personal),
        tokens: shownWhole(tokens, personal),
        chainIds: chainIds.toSorted((a, b) => inOrder.compare(a, b)),
      };
    }),
  );

/** Orders, filtered by what stands in the URL, a page at a time. */
export const ordersPage = (deps: LargePageDependencies): ConsoleRoute => ({
  method: 'get',
  path: '/console/orders',
  scopes: ['orders:read'],
  form: (texts) => orderFilterForm(texts, NOTHING_OFFERED),
  answer: (question) =>
    pipe(
      TE.fromEither(filledParameters(question, PARAMETERS)),
      TE.chain(({ texts, query }) =>
        pipe(
          parseOrderList(deps, question.personal)({ ...query, q: null, position: null, count: 'true' }),
          TE.chain(orderPage(deps)),
          TE.bindTo('found'),
          TE.bind('nothing', ({ found }) =>
            found.orders.length === 0 ? whyNone(deps, texts, question) : TE.right(SOMETHING_FOUND),
          ),
          TE.bind('offered', () => offeredBy(deps, question)),
          TE.map(({ found, ...beside }) => page({ ...found, ...beside }, texts, question)),
        ),
      ),
    ),
});
