import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { branded } from '../../domain/brand.ts';
import type { Instant } from '../../domain/instant.ts';
import type { PeriodResource } from '../../queries/periods/period-resource.ts';
import { PERIOD_LIST_PARAMETERS, periodList } from '../../queries/periods/periods.ts';
import type { ConsoleDependencies } from '../console-dependencies.ts';
import type { ConsoleRoute } from '../console-question.ts';
import { filledParameters } from '../filled-parameters.ts';
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

const row = ({ period, state, closedAt, closedBy, adjusted }: PeriodResource, times: Times): Html => html`
  <tr>
    <th scope="row"><a href="${periodPath(period)}">${monthWords(period)}</a></th>
    <td>${periodBadge(state)}</td>
    <td>${closedAt === null ? null : times.time(branded<Instant>(closedAt))}</td>
    <td>${closedBy}</td>
    <td>${adjusted ? html`<a href="${periodPath(period)}#adjustments">figures changed</a>` : null}</td>
  </tr>
`;

const table = (periods: readonly PeriodResource[], times: Times): Html => html`
  <div class="scroll" tabindex="0" role="group" aria-label="Months">
    <table>
      <thead>
        <tr>
          <th scope="col">Month</th>
          <th scope="col">State</th>
          <th scope="col">Closed</th>
          <th scope="col">By</th>
          <th scope="col">Since then</th>
        </tr>
      </thead>
      <tbody>
        ${periods.map((period) => row(period, times))}
      </tbody>
    </table>
  </div>
`;

const NOTHING_YET = html`
  <section class="nothing">
    <h2>No month has figures yet</h2>
    <p>The first one is listed here with its first order.</p>
  </section>
`;

/** The months, newest first: which are closed, by whom, and what changed since. */
export const periodsPage = (deps: ConsoleDependencies): ConsoleRoute => ({
  method: 'get',
  path: PERIODS_PATH,
  scopes: ['reports:read'],
  answer: (asked) =>
    pipe(
      TE.fromEither(filledParameters(asked, PARAMETERS)),
      TE.bindW('found', ({ query }) =>
        periodList(deps, asked.personal)({ ...query, limit: query.limit ?? LIMIT, position: null }),
      ),
      TE.map(({ texts, found: { data, next } }) =>
        showPage({
          title: 'Periods',
          place: 'periods',
          main: html`
            <div class="heading">
              <h1>Periods</h1>
              <p class="muted">The report of a closed month never changes. What comes later is an adjustment of it.</p>
            </div>
            ${data.length === 0 ? NOTHING_YET : html`${table(data, asked.times)} ${pager(PERIODS_PATH, texts, next, PAGES)}`}
          `,
        }),
      ),
    ),
});
