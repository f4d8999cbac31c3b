import type { Basis } from '../../../projections/report/index.ts';
import type { OrderId } from '../../domain/ids.ts';
import { amount, fractionWidth, money, moneyWidth } from '../amount.ts';
import { ANOMALY_WORDS } from '../../queries/words/anomaly-words.ts';
import { FLOW_WORDS } from '../../queries/words/flow-words.ts';
import { dataTable } from '../data-table.ts';
import { html, type Html } from '../html.ts';
import { orderPath } from '../links.ts';
import type { Times } from '../local-time.ts';
import type { ShownOrder } from '../shown-order.ts';
import { statusBadge } from '../status-badge.ts';

const concerns = ({ anomalies }: ShownOrder): Html | null => {
  const [first] = anomalies;
  return first === undefined
    ? null
    : html`<span
        class="concern"
        title="${anomalies.map(({ code }) => `${ANOMALY_WORDS[code].name} (${code})`).join(', ')}"
        >${ANOMALY_WORDS[first.code].name}${anomalies.length > 1 ? ` +${anomalies.length - 1}` : ''}</span
      >`;
};

const link = (orderId: OrderId): Html => html`<a class="id" href="${orderPath(orderId)}">${orderId}</a>`;

/** A list by days of settlement is sorted by creation as every list is: it shows both, and says so. */
const SETTLED = {
  cells: html`<th scope="col">Settled <span class="fine by">newest created first</span></th>`,
} as const;

const settledMoment = ({ createdAt, settledAt }: ShownOrder, { time }: Times): Html =>
  html`${settledAt === null ? '–' : time(settledAt)} <span class="fine by">created ${time(createdAt)}</span>`;

/**
 * Orders one below the other, newest created first, their amounts aligned on the decimal point.
 *
 * @param basis the day that the list is of: that of settlement is then shown of each, beside its creation
 * @param waits how long payouts are unconfirmed, of those orders where that is shown
 */
export const orderTable = (
  orders: readonly ShownOrder[],
  times: Times,
  basis: Basis = 'created',
  waits: ReadonlyMap<OrderId, Html> = new Map(),
): Html => {
  const fiatWidth = moneyWidth(orders.map(({ fiat }) => [fiat.amount, fiat.currency] as const));
  const tokenWidth = fractionWidth(orders.map(({ token }) => token.amount));
  return dataTable(
    { layout: 'orders' },
    [
      'Order',
      'Status',
      { figure: 'Fiat' },
      { unseen: 'Currency' },
      { figure: 'Tokens' },
      'Token',
      'Flow',
      basis === 'settled' ? SETTLED : 'Created',
      'Needs attention',
    ],
    orders.map(
      (order) => html`
        <tr>
          <th scope="row">${link(order.orderId)}</th>
          <td>${statusBadge(order.flow, order.status, order.phase)} ${waits.get(order.orderId) ?? null}</td>
          <td class="figure">${money(order.fiat.amount, order.fiat.currency, fiatWidth)}</td>
          <td class="unit">${order.fiat.currency}</td>
          <td class="figure">${order.token.amount === null ? '–' : amount(order.token.amount, tokenWidth)}</td>
          <td class="unit">${order.token.symbol}</td>
          <td>${FLOW_WORDS[order.flow]}</td>
          <td class="moment">${basis === 'settled' ? settledMoment(order, times) : times.time(order.createdAt)}</td>
          <td>${concerns(order)}</td>
        </tr>
      `,
    ),
  );
};
