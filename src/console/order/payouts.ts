import { html, type Html } from '../html.ts';
import type { ShownOrder } from '../shown-order.ts';
import { statusBadge } from '../status-badge.ts';
import { copied } from './order-facts.ts';

const PHASES = { deemed: 'deemed', failed: 'failed', paid: 'settled' } as const;

const MEANING = {
  deemed: 'The bank has not said yet whether it arrived. It is neither paid nor failed.',
  failed: 'The bank refused it.',
  paid: 'It arrived.',
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
                    ${statusBadge(state, PHASES[state])}
                    ${utr === null ? html`<span class="muted">no UTR yet</span>` : copied(utr)}
                    <span class="muted"
                      >${MEANING[state]}
                      ${eventIds.length === 1 ? 'One event says so.' : `${eventIds.length} events say so.`}</span
                    >
                  </li>
                `,
              )}
            </ul>`
      }
    </section>
  `;
};
