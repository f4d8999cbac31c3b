import { happenedAt } from '../../../projections/order-state/index.ts';
import type { OrderId } from '../../domain/ids.ts';
import { compareInstants, type Instant } from '../../domain/instant.ts';
import type { LedgerEvent } from '../../domain/ledger-event.ts';
import { html, type Html } from '../html.ts';
import { orderPath, withParameters } from '../links.ts';

/** By which time the history of an order is read: as its events arrived, or as the provider says that they happened. */
export const HISTORY_ORDERS = ['arrival', 'provider'] as const;

export type HistoryOrder = (typeof HISTORY_ORDERS)[number];

const NAMES: Readonly<Record<HistoryOrder, string>> = {
  arrival: 'As it arrived',
  provider: "By the provider's time",
};

/** The time that stands at an event. */
export const timeOf = (event: LedgerEvent, by: HistoryOrder): Instant =>
  by === 'arrival' ? event.receivedAt : happenedAt(event);

/** Events in this order; those of one moment stay as they arrived. */
export const inOrderOf = (events: readonly LedgerEvent[], by: HistoryOrder): readonly LedgerEvent[] =>
  by === 'arrival' ? events : events.toSorted((a, b) => compareInstants(happenedAt(a), happenedAt(b)));

/** The choice between the two. */
export const historyTabs = (orderId: OrderId, revision: number | null, current: HistoryOrder): Html => html`
  <nav class="tabs" aria-label="History">
    ${HISTORY_ORDERS.map((by) => {
      const href = withParameters(orderPath(orderId), {
        revision: revision === null ? null : String(revision),
        history: by === 'arrival' ? null : by,
      });
      return by === current
        ? html`<a href="${href}" aria-current="page">${NAMES[by]}</a>`
        : html`<a href="${href}">${NAMES[by]}</a>`;
    })}
  </nav>
`;
