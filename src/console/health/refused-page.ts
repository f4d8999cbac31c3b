import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { epochMsOf, instantOf } from '../../domain/instant.ts';
import type { RefusedDelivery } from '../../arrivals/arrivals-seen.ts';
import { shownText } from '../../queries/masking/shown-text.ts';
import type { ConsoleDependencies } from '../console-dependencies.ts';
import type { ConsoleQuestion, ConsoleRoute } from '../console-question.ts';
import { filledParameters } from '../filled-parameters.ts';
import { dataTable } from '../data-table.ts';
import { html, type Html } from '../html.ts';
import { withParameters } from '../links.ts';
import { showPage, type PageAnswer } from '../page.ts';
import { arrivalsTable, hintList, outcomeName } from './arrivals-table.ts';

/** More of one cause says nothing more. */
const MOST_SHOWN = 200;

const namedOrder = ({ orderId }: RefusedDelivery, { personal }: ConsoleQuestion): Html => {
  if (orderId === null) return html`<span class="muted">none that can be told</span>`;
  const shown = shownText(orderId, personal);
  return shown === orderId
    ? html`<a class="id" href="${withParameters('/console/audit', { q: orderId })}">${orderId}</a>`
    : html`<span class="id">${shown}</span>`;
};

const line = (refused: RefusedDelivery, asked: ConsoleQuestion): Html => html`
  <tr>
    <td class="moment">${asked.times.time(instantOf(refused.atMs))}</td>
    <td>${outcomeName(refused.code)} <span class="code">${refused.code}</span></td>
    <td><code class="moment">${refused.peer === '' ? '–' : refused.peer}</code></td>
    <td>${namedOrder(refused, asked)}</td>
  </tr>
`;

const list = (refused: readonly RefusedDelivery[], asked: ConsoleQuestion): Html =>
  refused.length === 0
    ? html`<section class="nothing">
        <h2>None is remembered</h2>
        <p>Refused deliveries are listed here for seven days, the last 500 of them.</p>
      </section>`
    : html`<section>
        <h2>The last refused ones</h2>
        ${dataTable(
          { label: 'Refused deliveries', layout: 'stacked' },
          ['When', 'Why', 'From', 'Order that it names, unproved'],
          refused.map((one) => line(one, asked)),
        )}
      </section>`;

/** Deliveries that were refused: when, why, from where, and what their pattern points at. Bodies are kept nowhere. */
export const refusedPage = (deps: ConsoleDependencies): ConsoleRoute => ({
  method: 'get',
  path: '/console/refused',
  scopes: ['audit:read'],
  answer: (asked) =>
    pipe(
      TE.fromEither(filledParameters(asked, {})),
      TE.map((): PageAnswer => {
        const [seen, nowMs] = [deps.arrivals(), epochMsOf(asked.now)];
        return showPage({
          title: 'Refused deliveries',
          place: 'health',
          main: html`
            <div class="heading">
              <p class="crumbs"><a href="/console/health">Health</a></p>
              <h1>Refused deliveries</h1>
              <p class="muted">
                Nothing of them is proved, and no body of them is kept. The provider sends again what it was refused.
              </p>
            </div>
            ${hintList(seen, nowMs)}
            <section>
              <h2>What arrived</h2>
              ${arrivalsTable(seen, nowMs)}
            </section>
            ${list(seen.refused.toReversed().slice(0, MOST_SHOWN), asked)}
          `,
        });
      }),
    ),
});
