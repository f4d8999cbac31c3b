import type { OrderTallies } from '../../read-models/order-tallies.ts';
import { ANOMALY_CODES, ANOMALY_WORDS } from '../../queries/words/anomaly-words.ts';
import { html, type Html } from '../html.ts';
import { withParameters } from '../links.ts';

/** Counts of what needs somebody's attention; null: the key of whoever looks does not allow it. */
export type Attention = {
  readonly anomalies: OrderTallies['anomalies'] | null;
  /** Deliveries in quarantine that were neither released nor closed. */
  readonly quarantined: number | null;
};

type Concern = {
  readonly name: string;
  /** The code of an anomaly; null for what is none. */
  readonly code: string | null;
  readonly count: number;
  readonly href: string;
  readonly sentence: string;
};

const concernsOf = ({ anomalies, quarantined }: Attention): readonly Concern[] => [
  ...(anomalies === null
    ? []
    : ANOMALY_CODES.map((code) => ({
        name: ANOMALY_WORDS[code].name,
        code,
        count: anomalies[code],
        href: withParameters('/console/orders', { anomaly: code }),
        sentence: ANOMALY_WORDS[code].sentence,
      }))),
  ...(quarantined === null
    ? []
    : [
        {
          name: 'Webhooks in quarantine',
          code: null,
          count: quarantined,
          href: '/console/quarantine',
          sentence:
            'The provider signed a webhook that cannot be read as an order. No figure includes it. See why, and try again once the cause is gone.',
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
        <h2>Needs attention</h2>
        <p class="all-well">
          Nothing: no order has an anomaly${found.quarantined === null ? '' : ', and quarantine is empty'}.
        </p>
      </section>
    `;
  }
  return html`
    <section class="attention">
      <h2>Needs attention</h2>
      <ul class="concerns">
        ${some.map(
          ({ name, code, count, href, sentence }) => html`
            <li>
              <a href="${href}"><strong>${count}</strong> <span>${name}</span></a>
              <p class="muted">${sentence}${code === null ? null : html` <span class="code">${code}</span>`}</p>
            </li>
          `,
        )}
      </ul>
      ${none.length === 0 ? null : html`<p class="fine">None: ${none.map(({ name }) => name).join(', ')}.</p>`}
    </section>
  `;
};
