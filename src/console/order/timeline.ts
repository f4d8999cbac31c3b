import { parseMetadata } from '../../domain/event-metadata.ts';
import { epochMsOf, type Instant } from '../../domain/instant.ts';
import type { LedgerEvent } from '../../domain/ledger-event.ts';
import { phaseOf } from '../../domain/status.ts';
import type { EventVerdict } from '../../ledger/verify-event.ts';
import { shownFact, shownText } from '../../queries/masking/shown-text.ts';
import type { PersonalData } from '../../queries/masking/personal-data.ts';
import { durationText } from '../duration-text.ts';
import { dataTable } from '../data-table.ts';
import { html, type Html } from '../html.ts';
import { eventPath, orderPath, withParameters } from '../links.ts';
import type { Times } from '../local-time.ts';
import { statusBadge } from '../status-badge.ts';
import { inOrderOf, timeOf, type HistoryOrder } from './history-order.ts';
import { differences, type Contradictions } from './conflicts.ts';
import { payloadAmount } from './payload-amount.ts';
import type { Change } from './payload-changes.ts';

/** How the timeline of an order is shown. */
export type TimelineView = {
  readonly personal: PersonalData;
  readonly times: Times;
  readonly by: HistoryOrder;
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

const SECOND = 1_000;

/** Longer values, and more changes of one event, stand on the page of the event: a page of all of them can be too large for a browser. */
const LONGEST_VALUE = 200;
const MOST_CHANGES = 100;

const brief = (text: string): string => (text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text);

const value = (path: string, text: string | null): Html =>
  text === null
    ? html`<span class="muted">absent</span>`
    : text === ''
      ? html`<span class="muted">empty</span>`
      : html`<code>${payloadAmount(path, text) ?? brief(text)}</code>`;

/** What leads on to the changes that are not shown. */
const moreChanges = (more: number, { facts, recorded }: LedgerEvent): Html | null =>
  more > 0
    ? html`<p class="muted">
        ${more} more: the whole payload is with the
        <a href="${eventPath(facts.orderId, recorded.revision)}">signed bytes of event ${recorded.revision}</a>.
      </p>`
    : null;

const changeList = (changes: readonly Change[], event: LedgerEvent, against: LedgerEvent): Html =>
  changes.length === 0
    ? html`<p class="muted">The same content as event ${against.recorded.revision}.</p>`
    : html`
        <details ${event.kind === 'conflict' ? html`open` : null}>
          <summary>
            ${changes.length === 1 ? 'One field differs' : `${changes.length} fields differ`} from event
            ${against.recorded.revision}
          </summary>
          ${dataTable(
            { layout: 'changes' },
            ['Field', `Event ${against.recorded.revision}`, 'Here'],
            changes.slice(0, MOST_CHANGES).map(
              ({ path, before, after }) =>
                html`<tr>
                  <th scope="row"><code>${path}</code></th>
                  <td>${value(path, before)}</td>
                  <td>${value(path, after)}</td>
                </tr>`,
            ),
          )}
          ${moreChanges(changes.length - MOST_CHANGES, event)}
        </details>
      `;

/** An event with those that it is shown against: the one before it in time, and the one that it is compared with. */
type Entry = {
  readonly event: LedgerEvent;
  readonly before: LedgerEvent | null;
  readonly against: LedgerEvent | null;
};

/** Seconds between two times as they are shown, to the second. */
const between = (earlier: Instant, later: Instant): number =>
  Math.floor(epochMsOf(later) / SECOND) * SECOND - Math.floor(epochMsOf(earlier) / SECOND) * SECOND;

const entry = ({ event, before, against }: Entry, view: TimelineView): Html => {
  const { recorded, facts, kind } = event;
  const { times, personal, verify, by } = view;
  const at = timeOf(event, by);
  const metadata = parseMetadata(recorded.metadata);
  const status = shownText(facts.status, personal);
  const utr = facts.utr === null ? null : shownFact('payouts.utr', facts.utr, personal);
  const since = before === null ? null : durationText(between(timeOf(before, by), at));
  return html`
    <li id="revision-${recorded.revision}" class="${kind}">
      <div class="line">
        ${statusBadge(facts.flow, status, phaseOf(facts.flow, facts.status))}
        ${kind === 'conflict' ? html`<span class="concern">contradicts ${against === null ? 'the event that came first' : `event ${against.recorded.revision}`}: not counted</span>` : null}
        ${utr === null ? null : html`<span class="muted">UTR <code>${utr}</code></span>`}
        <span class="when"
          >${by === 'provider' && facts.updatedAt === null ? html`<span class="muted">received</span> ` : null}${times.time(at)}${since === null ? null : html` <span class="muted">+${since}</span>`}</span
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
      ${against === null ? null : changeList(differences(against, event, personal), event, against)}
    </li>
  `;
};

/** The events of an order with what each is compared with: a conflict with what it contradicts, any other with the last that counts. */
const entriesOf = (ordered: readonly LedgerEvent[], { contradicted }: Contradictions): readonly Entry[] => {
  let before: LedgerEvent | null = null;
  let counted: LedgerEvent | null = null;
  const entries: Entry[] = [];
  for (const event of ordered) {
    entries.push({ event, before, against: event.kind === 'conflict' ? contradicted(event) : counted });
    before = event;
    if (event.kind === 'order') counted = event;
  }
  return entries;
};

/** Every event of an order, oldest first, with what it changed. */
export const timeline = (events: readonly LedgerEvent[], among: Contradictions, view: TimelineView): Html => html`
  <ol class="timeline">
    ${entriesOf(inOrderOf(events, view.by), among).map((each) => entry(each, view))}
  </ol>
`;
