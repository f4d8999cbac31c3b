import type { Month } from '../../domain/month.ts';
import { ANOMALY_CODES, ANOMALY_WORDS } from '../../queries/words/anomaly-words.ts';
import type { OpenInMatch } from '../../queries/reconciliation/open-in-match.ts';
import type { OrderTallies } from '../../read-models/order-tallies.ts';
import { money } from '../amount.ts';
import { html, type Html } from '../html.ts';
import { withParameters } from '../links.ts';
import { monthWords } from '../periods/month-words.ts';
import { PERIODS_PATH, periodPath } from '../periods/period-path.ts';
import { RECONCILIATION_PATH } from '../reconciliation/reconciliation-path.ts';

/** What needs somebody's attention; null: the key of whoever looks does not allow it, or it is not known now. */
export type Attention = {
  /** Whether no delivery could be accepted now: everybody is told. */
  readonly refused: boolean;
  readonly anomalies: OrderTallies['anomalies'] | null;
  /** Deliveries in quarantine that were neither released nor closed. */
  readonly quarantined: number | null;
  /** What bank and chain lack, have beside, or say otherwise. */
  readonly open: OpenInMatch | null;
  /** Months that are over and not closed, the newest first. */
  readonly months: readonly Month[] | null;
};

type Concern = {
  readonly name: string;
  /** The code of an anomaly; null for what is none. */
  readonly code: string | null;
  readonly count: number;
  readonly href: string;
  readonly sentence: Html | string;
};

const anomalyConcerns = (anomalies: OrderTallies['anomalies']): readonly Concern[] =>
  ANOMALY_CODES.map((code) => ({
    name: ANOMALY_WORDS[code].name,
    code,
    count: anomalies[code],
    href: withParameters('/console/orders', { anomaly: code }),
    sentence: ANOMALY_WORDS[code].sentence,
  }));

const quarantineConcern = (quarantined: number): Concern => ({
  name: 'Webhooks in quarantine',
  code: null,
  count: quarantined,
  href: '/console/quarantine',
  sentence:
    'The provider signed a webhook that cannot be read as an order. No figure includes it. See why, and try again once the cause is gone.',
});

/** A provider may send any text as a currency: the sums of so many are named. */
const MOST_SHARES = 12;

const openConcern = ({ items: all, shares }: OpenInMatch, text: (value: string) => string): Concern => {
  const sums = shares
    .slice(0, MOST_SHARES)
    .map(({ currency, items, fiat }) =>
      currency === null
        ? html`${items} ${items === 1 ? 'transfer' : 'transfers'} of no order`
        : html`<span class="sum-of">${money(fiat, currency)} ${text(currency)}</span>`,
    );
  return {
    name: 'Open at bank or chain',
    code: null,
    count: all,
    href: RECONCILIATION_PATH,
    sentence: html`Without a match, with several that fit, or not
    agreeing${sums.map((sum, i) => html`${i === 0 ? ': ' : ', '}${sum}`)}${shares.length > MOST_SHARES ? `, and ${shares.length - MOST_SHARES} more currencies` : ''}.`,
  };
};

const monthsConcern = (months: readonly Month[]): Concern => {
  const [newest] = months;
  return {
    name: 'Months to close',
    code: null,
    count: months.length,
    href: newest !== undefined && months.length === 1 ? periodPath(newest) : PERIODS_PATH,
    sentence: `${newest === undefined ? 'A month' : monthWords(newest)} is over and not closed${months.length > 1 ? ', nor are earlier ones' : ''}: its figures still change.`,
  };
};

const concernsOf = (
  { anomalies, quarantined, open, months }: Attention,
  text: (value: string) => string,
): readonly Concern[] => [
  ...(open === null ? [] : [openConcern(open, text)]),
  ...(months === null ? [] : [monthsConcern(months)]),
  ...(quarantined === null ? [] : [quarantineConcern(quarantined)]),
  ...(anomalies === null ? [] : anomalyConcerns(anomalies)),
];

/** What is so where nothing needs attention: of as much as was looked at. */
const allWell = ({ anomalies, quarantined, open, months }: Attention): Html => {
  const clauses = [
    'deliveries are accepted',
    ...(open === null ? [] : ['nothing is open at bank or chain']),
    ...(months === null ? [] : ['no month waits to be closed']),
    ...(quarantined === null ? [] : ['quarantine is empty']),
    ...(anomalies === null ? [] : ['no order has an anomaly']),
  ];
  return html`<p class="all-well">Nothing: ${clauses.join(', ')}.</p>`;
};

const REFUSED = html`
  <li class="urgent">
    <a href="/console/health"><strong>!</strong> <span>Deliveries are refused now</span></a>
    <p class="muted">
      Not recorded, and in no figure. Health says why. The provider should send them again; compare with its list
      afterwards.
    </p>
  </li>
`;

/**
 * What needs attention now, of all orders whenever they were created; each count leads to exactly those.
 *
 * @param text a currency as whoever looks may see it
 */
export const attention = (found: Attention, text: (value: string) => string): Html | null => {
  const concerns = concernsOf(found, text);
  if (concerns.length === 0 && !found.refused) return null;
  const [some, none] = [concerns.filter(({ count }) => count > 0), concerns.filter(({ count }) => count === 0)];
  if (some.length === 0 && !found.refused) {
    return html`
      <section>
        <h2>Needs attention</h2>
        ${allWell(found)}
      </section>
    `;
  }
  return html`
    <section class="attention">
      <h2>Needs attention</h2>
      <ul class="concerns">
        ${found.refused ? REFUSED : null}
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
