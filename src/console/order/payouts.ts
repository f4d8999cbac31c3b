import { epochMsOf, type Instant } from '../../domain/instant.ts';
import type { LedgerEvent } from '../../domain/ledger-event.ts';
import { PAYOUT_WORDS } from '../../queries/words/payout-words.ts';
import { money } from '../amount.ts';
import { durationText } from '../duration-text.ts';
import { html, type Html } from '../html.ts';
import type { Times } from '../local-time.ts';
import type { ShownOrder } from '../shown-order.ts';
import { namedCode, phaseBadge } from '../status-badge.ts';
import { copied } from './order-facts.ts';
import { payoutSince } from './payout-since.ts';

const STATES = {
  deemed: {
    phase: 'deemed',
    name: PAYOUT_WORDS.deemed,
    meaning: 'The bank has not confirmed it yet. It counts neither as paid nor as failed.',
  },
  failed: { phase: 'failed', name: PAYOUT_WORDS.failed, meaning: 'The payout failed.' },
  paid: { phase: 'settled', name: PAYOUT_WORDS.paid, meaning: 'The money arrived.' },
} as const;

/** Moments in the business time zone; `at`: the one as of which the order is shown. */
type Clock = { readonly times: Times; readonly at: Instant };

type Attempt = ShownOrder['payouts'][number];

const age = ({ state }: Attempt, since: Instant | null, { times, at }: Clock): Html | null => {
  if (since === null) return null;
  if (state !== 'deemed') return html`<span>${times.time(since)}</span>`;
  const waits = durationText(epochMsOf(at) - epochMsOf(since));
  return html`<strong>since ${times.time(since)}, ${waits}</strong>`;
};

/** Before any result the bank's reference may be known from an event of another status. */
const noResultYet = (events: readonly LedgerEvent[]): Html => {
  const hasReference = events.some(({ facts }) => facts.utr !== null);
  return html`<p class="muted">
    ${hasReference ? 'A bank reference came, and no result of a payout yet: see the history below.' : 'No payout has been tried yet.'}
  </p>`;
};

/** The attempts to pay an off-ramp order out, each by its UTR, with what is paid, and how long it has been so. */
export const payouts = (
  { flow, fiat, payouts: attempts }: ShownOrder,
  events: readonly LedgerEvent[],
  clock: Clock,
): Html | null => {
  if (flow === 'onramp') return null;
  return html`
    <section>
      <h2>Payouts</h2>
      ${
        attempts.length === 0
          ? noResultYet(events)
          : html`<ul class="payouts">
              ${attempts.map(
                (attempt) => html`
                  <li>
                    ${phaseBadge(namedCode(STATES[attempt.state].name, attempt.state), STATES[attempt.state].phase)}
                    <span>${money(fiat.amount, fiat.currency)} ${fiat.currency}</span>
                    ${attempt.utr === null ? html`<span class="muted">no UTR yet</span>` : copied(attempt.utr)}
                    ${age(attempt, payoutSince(attempt, events), clock)}
                    <span class="muted"
                      >${STATES[attempt.state].meaning}
                      ${attempt.eventIds.length === 1 ? 'Seen in one event.' : `Seen in ${attempt.eventIds.length} events.`}</span
                    >
                  </li>
                `,
              )}
            </ul>`
      }
    </section>
  `;
};
