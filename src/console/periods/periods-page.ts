import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { branded } from '../../domain/brand.ts';
import type { BusinessDay } from '../../domain/business-day.ts';
import type { Instant } from '../../domain/instant.ts';
import { firstDayOf, monthAfter, monthOfDay } from '../../domain/month.ts';
import type { QueryFailure } from '../../queries/failure/query-failure.ts';
import { EVERY_ORDER } from '../../read-models/order-filter.ts';
import { withParameters } from '../links.ts';
import type { PeriodResource } from '../../queries/periods/period-resource.ts';
import { PERIOD_LIST_PARAMETERS, periodList } from '../../queries/periods/periods.ts';
import type { LargePageDependencies } from '../large-page-dependencies.ts';
import type { ConsoleQuestion, ConsoleRoute } from '../console-question.ts';
import { filledParameters } from '../filled-parameters.ts';
import { dataTable } from '../data-table.ts';
import { html, type Html } from '../html.ts';
import type { Times } from '../local-time.ts';
import { showPage } from '../page.ts';
import { pager } from '../pager.ts';
import { monthWords } from './month-words.ts';
import { periodBadge } from './period-badge.ts';
import { PERIODS_PATH, periodPath } from './period-path.ts';

const { position: _position, ...PARAMETERS } = PERIOD_LIST_PARAMETERS;

const LIMIT = 24;

const PAGES = { further: 'Further months', next: 'Earlier months', none: 'No earlier months' } as const;

/** What came of a month since it was closed, or why nobody can say. */
const since = ({ period, adjusted, unreadable }: PeriodResource): Html | string | null => {
  if (unreadable !== null)
    return `event ${unreadable.revision} of stream ${unreadable.stream} can’t be read: ${unreadable.problem}`;
  return adjusted ? html`<a href="${periodPath(period)}#adjustments">figures changed</a>` : null;
};

const row = (listed: PeriodResource, times: Times): Html => {
  const { period, state, closedAt, closedBy } = listed;
  return html`
    <tr>
      <th scope="row"><a href="${periodPath(period)}">${monthWords(period)}</a></th>
      <td>${periodBadge(state)}</td>
      <td>${closedAt === null ? null : times.time(branded<Instant>(closedAt))}</td>
      <td>${closedBy}</td>
      <td>${since(listed)}</td>
    </tr>
  `;
};

const table = (periods: readonly PeriodResource[], times: Times): Html =>
  dataTable(
    { label: 'Months' },
    ['Month', 'State', 'Closed', 'By', 'Since then'],
    periods.map((period) => row(period, times)),
  );

const NOTHING_YET = html`
  <section class="nothing">
    <h2>No month has figures yet</h2>
    <p>The first one is listed here with its first order.</p>
  </section>
`;

/** Orders that are dated after the month that goes on, by a clock of the provider's: none of the listed months has them yet. */
const laterNotice = ({ orders, from }: Later, { session }: ConsoleQuestion): Html | null => {
  if (orders === 0) return null;
  const words = orders === 1 ? 'One order is' : `${orders} orders are`;
  const link = withParameters('/console/orders', { from });
  return html`<p class="notice">
    ${session.key.scopes.has('orders:read') ? html`<a href="${link}">${words}</a>` : words} dated after this month: no
    month in the list has them before theirs begins.
  </p>`;
};

type Later = { readonly orders: number; readonly from: BusinessDay };

/** What is dated after the month that goes on. */
const ordersLater = (
  { readModels, calendar }: Pick<LargePageDependencies, 'readModels' | 'calendar'>,
  now: Instant,
): TE.TaskEither<QueryFailure, Later | null> => {
  const next = monthAfter(monthOfDay(calendar.dayOf(now)));
  if (next === null) return TE.right(null);
  const from = firstDayOf(next);
  return pipe(
    readModels.orders({ filter: { ...EVERY_ORDER, from }, after: null, limit: 1, now, counted: true }),
    TE.map(({ total }) => ({ orders: total?.orders ?? 0, from })),
  );
};

/** The months, newest first: which are closed, by whom, and what changed since. */
export const periodsPage = (deps: LargePageDependencies): ConsoleRoute => ({
  method: 'get',
  path: PERIODS_PATH,
  scopes: ['reports:read'],
  answer: (asked) =>
    pipe(
      TE.fromEither(filledParameters(asked, PARAMETERS)),
      TE.bindW('found', ({ query }) =>
        periodList(deps, asked.personal)({ ...query, limit: query.limit ?? LIMIT, position: null }),
      ),
      TE.bindW('later', () => ordersLater(deps, asked.now)),
      TE.map(({ texts, found: { data, next }, later }) =>
        showPage({
          title: 'Periods',
          place: 'periods',
          main: html`
            <div class="heading">
              <h1>Periods</h1>
              <p class="muted">The report of a closed month never changes. What comes later is an adjustment of it.</p>
            </div>
            ${later === null ? null : laterNotice(later, asked)}
            ${data.length === 0 ? NOTHING_YET : html`${table(data, asked.times)} ${pager(PERIODS_PATH, texts, next, PAGES)}`}
          `,
        }),
      ),
    ),
});
