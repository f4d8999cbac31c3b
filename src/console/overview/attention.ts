import type { OrderTallies } from '../../read-models/order-tallies.ts';
import { html, type Html } from '../html.ts';
import { withParameters } from '../links.ts';
import { ANOMALY_SENTENCES } from '../order/anomalies.ts';

type Code = keyof OrderTallies['anomalies'];

/** Those that money is lost by come first. */
const CODES: readonly Code[] = [
  'second-payout',
  'payout-paid-and-failed',
  'refunded-after-settlement',
  'deemed-too-long',
  'overdue',
  'progress-after-expiry',
  'conflicting-delivery',
  'fact-changed',
  'sample-completed',
  'unlisted-status',
  'field-unreadable',
];

/** What needs somebody's attention, counted; null: not for those who look. */
export type Attention = {
  readonly anomalies: OrderTallies['anomalies'] | null;
  /** Deliveries in quarantine that were not released. */
  readonly quarantined: number | null;
};

type Concern = { readonly name: string; readonly count: number; readonly href: string; readonly sentence: string };

const concernsOf = ({ anomalies, quarantined }: Attention): readonly Concern[] => [
  ...(anomalies === null
    ? []
    : CODES.map((code) => ({
        name: code,
        count: anomalies[code],
        href: withParameters('/console/orders', { anomaly: code }),
        sentence: ANOMALY_SENTENCES[code],
      }))),
  ...(quarantined === null
    ? []
    : [
        {
          name: 'quarantine',
          count: quarantined,
          href: '/console/quarantine?show=waiting',
          sentence: 'An authentic delivery could not be read: see why, and release it when the cause is gone.',
        },
      ]),
];

/** What needs attention now, of all orders whenever they were created; each count leads to exactly those. */
export const attention = (found: Attention): Html | null => {
  const concerns = concernsOf(found);
  if (concerns.length === 0) return null;
  const [some, none] = [concerns.filter(({ count }) => count > 0), concerns.filter(({ count }) => count === 0)];
  if (some.length === 0) {
    return html`
      <section>
        <h2>To look at</h2>
        <p class="all-well">
          Nothing. No order has an anomaly${found.quarantined === null ? '' : ', and nothing waits in quarantine'}.
        </p>
      </section>
    `;
  }
  return html`
    <section class="attention">
      <h2>To look at</h2>
      <ul class="concerns">
        ${some.map(
          ({ name, count, href, sentence }) => html`
            <li>
              <a href="${href}"><strong>${count}</strong> <span>${name}</span></a>
              <p class="muted">${sentence}</p>
            </li>
          `,
        )}
      </ul>
      ${none.length === 0 ? null : html`<p class="fine">None: ${none.map(({ name }) => name).join(', ')}.</p>`}
    </section>
  `;
};
