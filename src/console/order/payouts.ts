import { html, type Html } from '../html.ts';
import type { ShownOrder } from '../shown-order.ts';
import { namedCode, phaseBadge } from '../status-badge.ts';
import { copied } from './order-facts.ts';

const STATES = {
  deemed: {
    phase: 'deemed',
    name: 'Unconfirmed',
    meaning: 'The bank has not confirmed it yet. It counts neither as paid nor as failed.',
  },
  failed: { phase: 'failed', name: 'Failed', meaning: 'The payout failed.' },
  paid: { phase: 'settled', name: 'Paid', meaning: 'The money arrived.' },
} as const;

/** The attempts to pay an off-ramp order out, each by its UTR. */
export const payouts = ({ flow, payouts: attempts }: ShownOrder): Html | null => {
  if (flow === 'onramp') return null;
  return html`
    <section>
      <h2>Payouts</h2>
      ${
        attempts.length === 0
          ? html`<p class="muted">No payout has been tried yet.</p>`
          : html`<ul class="payouts">
              ${attempts.map(
                ({ utr, state, eventIds }) => html`
                  <li>
                    ${phaseBadge(namedCode(STATES[state].name, state), STATES[state].phase)}
                    ${utr === null ? html`<span class="muted">no UTR yet</span>` : copied(utr)}
                    <span class="muted"
                      >${STATES[state].meaning}
                      ${eventIds.length === 1 ? 'Seen in one event.' : `Seen in ${eventIds.length} events.`}</span
                    >
                  </li>
                `,
              )}
            </ul>`
      }
    </section>
  `;
};
