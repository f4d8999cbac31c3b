import type { EventId, Revision } from '../../domain/ids.ts';
import { ANOMALY_WORDS } from '../../queries/words/anomaly-words.ts';
import { html, type Html } from '../html.ts';
import type { ShownOrder } from '../shown-order.ts';

const seenIn = (eventIds: readonly EventId[], revisionOf: (eventId: EventId) => Revision | null): Html => html`
  <span class="fine">
    Seen in
    ${eventIds
      .map((eventId) => ({ eventId, revision: revisionOf(eventId) }))
      .toSorted((a, b) => (a.revision ?? Infinity) - (b.revision ?? Infinity))
      .map(
        ({ eventId, revision }, i) =>
          html`${i === 0 ? '' : ', '}${revision === null ? html`<code>${eventId}</code>` : html`<a href="#revision-${revision}">event ${revision}</a>`}`,
      )}
  </span>
`;

/** In the order of the events that they were seen in first. */
const inOrder = (
  found: ShownOrder['anomalies'],
  revisionOf: (eventId: EventId) => Revision | null,
): ShownOrder['anomalies'] => {
  const first = ({ eventIds }: ShownOrder['anomalies'][number]): number =>
    Math.min(...eventIds.map((eventId) => revisionOf(eventId) ?? Infinity));
  return found.toSorted((a, b) => first(a) - first(b));
};

/** What does not fit about an order: each kind once, with every event that it was seen in; of a conflict what it says otherwise. */
export const anomalies = (
  { anomalies: found }: ShownOrder,
  revisionOf: (eventId: EventId) => Revision | null,
  conflict: (eventId: EventId) => Html | null,
): Html | null => {
  if (found.length === 0) return null;
  const kinds = [...Map.groupBy(found, ({ code }) => code)];
  return html`
    <section class="attention">
      <h2>Needs attention</h2>
      <ul class="anomalies">
        ${kinds.map(
          ([code, ofKind]) => html`
            <li>
              <p>
                <strong class="concern">${ANOMALY_WORDS[code].name}</strong> <span class="code">${code}</span>
                ${ANOMALY_WORDS[code].sentence}
              </p>
              ${inOrder(ofKind, revisionOf).flatMap(({ detail, eventIds }) => {
                const lines = eventIds.map(conflict).filter((line) => line !== null);
                return code === 'conflicting-delivery' && lines.length > 0
                  ? lines
                  : [html`<p class="muted"><bdi>${detail}</bdi> ${seenIn(eventIds, revisionOf)}</p>`];
              })}
            </li>
          `,
        )}
      </ul>
    </section>
  `;
};
