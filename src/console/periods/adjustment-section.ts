import { branded } from '../../domain/brand.ts';
import type { OrderId } from '../../domain/ids.ts';
import { shownText } from '../../queries/masking/shown-text.ts';
import type { AdjustmentPage } from '../../queries/periods/adjustment-list.ts';
import type { ConsoleQuestion } from '../console-question.ts';
import { dataTable } from '../data-table.ts';
import { html, type Html } from '../html.ts';
import { orderPath, withParameters } from '../links.ts';
import { differenceCells } from '../reports/side-by-side.ts';
import { FLOW_WORDS } from '../../queries/words/flow-words.ts';
import { inReadingOrder, measureWords } from '../../queries/words/measure-words.ts';

type Adjustment = AdjustmentPage['data'][number];
type AdjustedOrder = Adjustment['orders'][number];

/** As many as one reads; the interface and the command line list all. */
const MOST_ORDERS = 200;
const MOST_EVENTS = 5;

const measureTable = ({ flow, currency, measures }: Adjustment, name: string): Html =>
  dataTable(
    { label: `Measures, ${name}` },
    ['Measure', { figure: 'Closed' }, { figure: 'Now' }, { figure: 'Difference' }],
    inReadingOrder(new Map(Object.entries(measures))).map(
      ([measure, found]) =>
        html`<tr>
          <th scope="row">${measureWords(flow, measure)} <code>${measure}</code></th>
          ${differenceCells(measure, currency, found)}
        </tr>`,
    ),
  );

const then = (order: AdjustedOrder['closed']): Html =>
  order === null ? html`<span class="muted">not in it</span>` : html`${order.phase}, ${order.fiat}`;

/** An id that holds an e-mail address stands in no URL of somebody who may not see it. */
const orderLink = (orderId: string, { session, personal }: ConsoleQuestion): Html => {
  const shown = shownText(orderId, personal);
  return shown === orderId && session.key.scopes.has('orders:read')
    ? html`<a class="id" href="${orderPath(branded<OrderId>(orderId))}">${shown}</a>`
    : html`<span class="id">${shown}</span>`;
};

const eventLinks = (eventIds: readonly string[], { session }: ConsoleQuestion): Html => {
  if (!session.key.scopes.has('audit:read')) return html`${eventIds.length}`;
  const more = eventIds.length - MOST_EVENTS;
  return html`${eventIds
    .slice(0, MOST_EVENTS)
    .map(
      (eventId) => html`<a href="${withParameters('/console/audit', { q: eventId })}">${eventId.slice(0, 8)}</a> `,
    )}${more > 0 ? html`and ${more} more` : null}`;
};

const orderTable = ({ orders, currency }: Adjustment, name: string, asked: ConsoleQuestion): Html => html`
  ${dataTable(
    { label: `Orders, ${name}` },
    ['Order', `Closed, ${currency}`, `Now, ${currency}`, 'Events since'],
    orders.slice(0, MOST_ORDERS).map(
      ({ orderId, eventIds, closed, now }) =>
        html`<tr>
          <th scope="row">${orderLink(orderId, asked)}</th>
          <td>${then(closed)}</td>
          <td>${then(now)}</td>
          <td>${eventLinks(eventIds, asked)}</td>
        </tr>`,
    ),
  )}
  ${
    orders.length > MOST_ORDERS
      ? html`<p class="fine">
          ${orders.length - MOST_ORDERS} more orders: <code>ramp-ledger period adjustments</code> lists them all.
        </p>`
      : null
  }
`;

/** What differs in one report of a closed month: both figures side by side, and the orders behind them. */
const adjustment = (found: Adjustment, asked: ConsoleQuestion): Html => {
  const name = `${FLOW_WORDS[found.flow]} by ${found.basis === 'created' ? 'creation' : 'settlement'}, ${found.currency}`;
  return html`
    <h3>${name}</h3>
    ${measureTable(found, name)} ${orderTable(found, name, asked)}
  `;
};

/** What is known now of a closed month against what was closed. */
export const adjustmentSection = ({ data }: Pick<AdjustmentPage, 'data'>, asked: ConsoleQuestion): Html => html`
  <section id="adjustments">
    <h2>What changed since</h2>
    ${
      data.length === 0
        ? html`<p class="muted">Nothing: it would be reported the same today.</p>`
        : data.map((found) => adjustment(found, asked))
    }
  </section>
`;
