import type { EventId, Revision } from '../../domain/ids.ts';
import { html, type Html } from '../html.ts';
import type { ShownAnomaly, ShownOrder } from '../shown-order.ts';

/** What each anomaly means for the money, and what to do, in a sentence. */
export const ANOMALY_SENTENCES: Readonly<Record<ShownAnomaly['code'], string>> = {
  'refunded-after-settlement':
    'The order was refunded although it was completed or paid out: check with the provider that the money did not go both ways.',
  'progress-after-expiry':
    'The order went on after it had expired: the provider took money for an order that it had given up.',
  'second-payout': 'Two payouts with different UTRs succeeded: the customer may have been paid twice.',
  'payout-paid-and-failed': 'One payout was reported as paid and as failed: ask the bank which of them is true.',
  'fact-changed': 'A fact that never changes came with other values: the shown one is from the highest event.',
  'conflicting-delivery':
    'The provider sent other facts under a status that was recorded already: the first stays, both are kept.',
  'unlisted-status': 'The provider sent a status that its interface does not list: it moves nothing.',
  'field-unreadable': 'A field came in a form that cannot be read: it is shown as empty, its bytes are kept.',
  'sample-completed': 'The order is completed, but no PayoutSuccess came: it does not count as paid out.',
  overdue: 'Nothing but fiatPending came for more than three hours: the order should have expired by now.',
  'deemed-too-long':
    'The bank has not confirmed the payout for more than a day: ask the provider with the UTR whether it arrived.',
};

const seenIn = (eventIds: readonly EventId[], revisionOf: (eventId: EventId) => Revision | null): Html => html`
  <span class="fine">
    Seen in
    ${eventIds.map((eventId) => {
      const revision = revisionOf(eventId);
      return revision === null
        ? html`<code>${eventId}</code> `
        : html`<a href="#revision-${revision}">event ${revision}</a> `;
    })}
  </span>
`;

/** What does not fit about an order: each kind once, with every event that it was seen in. */
export const anomalies = (
  { anomalies: found }: ShownOrder,
  revisionOf: (eventId: EventId) => Revision | null,
): Html | null => {
  if (found.length === 0) return null;
  const kinds = [...Map.groupBy(found, ({ code }) => code)];
  return html`
    <section class="attention">
      <h2>To look at</h2>
      <ul class="anomalies">
        ${kinds.map(
          ([code, ofKind]) => html`
            <li>
              <p><strong class="concern">${code}</strong> ${ANOMALY_SENTENCES[code]}</p>
              ${ofKind.map(
                ({ detail, eventIds }) =>
                  html`<p class="muted"><bdi>${detail}</bdi> ${seenIn(eventIds, revisionOf)}</p>`,
              )}
            </li>
          `,
        )}
      </ul>
    </section>
  `;
};
