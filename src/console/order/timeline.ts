import { parseMetadata } from '../../domain/event-metadata.ts';
import { epochMsOf } from '../../domain/instant.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { LedgerEvent } from '../../domain/ledger-event.ts';
import { phaseOf } from '../../domain/status.ts';
import type { EventVerdict } from '../../ledger/verify-event.ts';
import { withMaskedEmails } from '../../queries/masking/email-addresses.ts';
import { masked } from '../../queries/masking/masking.ts';
import type { PersonalData } from '../../queries/masking/personal-data.ts';
import { durationText } from '../duration-text.ts';
import { html, type Html } from '../html.ts';
import { eventPath, orderPath, withParameters } from '../links.ts';
import type { Times } from '../local-time.ts';
import { statusBadge } from '../status-badge.ts';
import { payloadChanges, type Change } from './payload-changes.ts';

/** How the timeline of an order is shown. */
export type TimelineView = {
  readonly personal: PersonalData;
  readonly times: Times;
  /** The verdict on an event, computed now; null for those who may not ask for it. */
  readonly verify: ((event: LedgerEvent) => EventVerdict) | null;
};

const WORDS: Readonly<Record<EventVerdict['verified'], string>> = {
  yes: 'Signature verified',
  no: 'Verification failed',
  'unknown-secret': 'Secret not configured',
  unsigned: "The ledger's own",
};

/** The verdict on an event in words, with what is wrong; in a list in as few as will do. */
export const verdictBadge = ({ verified, problems }: EventVerdict, words = WORDS): Html =>
  html`<span class="verdict ${verified}"
    >${words[verified]}${problems.length === 0 ? '' : `: ${problems.join(', ')}`}</span
  >`;

/** Longer values stand on the page of the event. */
const LONGEST_VALUE = 200;

const brief = (text: string): string => (text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text);

const value = (text: string | null): Html =>
  text === null
    ? html`<span class="muted">absent</span>`
    : text === ''
      ? html`<span class="muted">empty</span>`
      : html`<code>${brief(text)}</code>`;

const changeList = (changes: readonly Change[]): Html =>
  changes.length === 0
    ? html`<p class="muted">The same content as the event before.</p>`
    : html`
        <details>
          <summary>
            ${changes.length === 1 ? 'One field differs' : `${changes.length} fields differ`} from the event before
          </summary>
          <div class="scroll">
            <table class="changes">
              <thead>
                <tr>
                  <th scope="col">Field</th>
                  <th scope="col">Before</th>
                  <th scope="col">Now</th>
                </tr>
              </thead>
              <tbody>
                ${changes.map(
                  ({ path, before, after }) =>
                    html`<tr>
                      <th scope="row"><code>${path}</code></th>
                      <td>${value(before)}</td>
                      <td>${value(after)}</td>
                    </tr>`,
                )}
              </tbody>
            </table>
          </div>
        </details>
      `;

const entry = (event: LedgerEvent, before: LedgerEvent | null, view: TimelineView): Html => {
  const { recorded, facts, kind, receivedAt } = event;
  const { times, personal, verify } = view;
  const shown = (payload: JsonObject): JsonObject => (personal === 'shown' ? payload : masked(payload));
  const metadata = parseMetadata(recorded.metadata);
  const status = personal === 'shown' ? facts.status : withMaskedEmails(facts.status);
  const utr = facts.utr === null || personal === 'shown' ? facts.utr : withMaskedEmails(facts.utr);
  const since = before === null ? null : durationText(epochMsOf(receivedAt) - epochMsOf(before.receivedAt));
  return html`
    <li id="revision-${recorded.revision}" class="${kind}">
      <div class="line">
        ${statusBadge(facts.flow, status, phaseOf(facts.flow, facts.status))}
        ${kind === 'conflict' ? html`<span class="concern">contradicts the event that came first: not counted</span>` : null}
        ${utr === null ? null : html`<span class="muted">UTR <code>${utr}</code></span>`}
        <span class="when"
          >${times.time(receivedAt)}${since === null ? null : html` <span class="muted">+${since}</span>`}</span
        >
      </div>
      <p class="fine">
        <a href="${withParameters(orderPath(facts.orderId), { revision: String(recorded.revision) })}"
          >Event ${recorded.revision}</a
        >
        · ${recorded.type}${metadata === null ? null : html` · verified with secret <code>${metadata.secretId}</code>`}
        ${verify === null ? null : html` · ${verdictBadge(verify(event))}`} ·
        <a href="${eventPath(facts.orderId, recorded.revision)}">Signed bytes and proof</a>
      </p>
      ${before === null ? null : changeList(payloadChanges(shown(before.payload), shown(event.payload)))}
    </li>
  `;
};

/** Every event of an order, oldest first, with what it changed. */
export const timeline = (events: readonly LedgerEvent[], view: TimelineView): Html => html`
  <ol class="timeline">
    ${events.map((event, i) => entry(event, events[i - 1] ?? null, view))}
  </ol>
`;
