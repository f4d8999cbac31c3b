import type { AuditEntry } from '../../../projections/audit-trail/index.ts';
import { DELIVERY_QUARANTINED, flowOfType } from '../../domain/event-type.ts';
import { orderIdOfStream, OWN_STREAMS } from '../../domain/ids.ts';
import { phaseOf } from '../../domain/status.ts';
import { shownFact, shownText } from '../../queries/masking/shown-text.ts';
import type { JudgedEntry } from '../../queries/trail/audit-list.ts';
import type { ConsoleQuestion } from '../console-question.ts';
import { factList } from '../fact-list.ts';
import { dataTable } from '../data-table.ts';
import { html, type Html } from '../html.ts';
import { eventPath, orderPath, quarantinedPath, withParameters } from '../links.ts';
import { verdictBadge } from '../order/timeline.ts';
import { periodPath } from '../periods/period-path.ts';
import { statusBadge } from '../status-badge.ts';

const VERDICT_WORDS = {
  yes: 'Verified',
  no: 'Verification failed',
  'unknown-secret': 'Secret not configured',
  unsigned: "The ledger's own",
};

const NONE = html`<span class="muted">–</span>`;

/**
 * Where an event is shown with its signed bytes, or what it says of a month; null for somebody who may not see it, and where
 * it has no page.
 */
const pageOf = (
  { stream, revision, type, eventId, bodySha256 }: AuditEntry,
  scopes: ConsoleQuestion['session']['key']['scopes'],
): string | null => {
  const orderId = orderIdOfStream(stream);
  if (orderId !== null) return scopes.has('orders:read') ? eventPath(orderId, revision) : null;
  if (stream.startsWith(OWN_STREAMS.period)) {
    return scopes.has('reports:read') ? periodPath(stream.slice(OWN_STREAMS.period.length)) : null;
  }
  if (type === String(DELIVERY_QUARANTINED)) return quarantinedPath(eventId);
  // A release stands in the trail beside the delivery that it is of.
  return bodySha256 === null ? null : withParameters('/console/audit', { q: bodySha256 });
};

const status = ({ type, status: found }: AuditEntry, text: (value: string) => string): Html => {
  if (found === null) return NONE;
  const flow = flowOfType(type);
  return flow === null ? html`${text(found)}` : statusBadge(flow, text(found), phaseOf(flow, found));
};

const row = ({ entry, verdict }: JudgedEntry, asked: ConsoleQuestion, verifies: boolean): Html => {
  const { personal, session, times } = asked;
  const text = (value: string): string => shownText(value, personal);
  const { scopes } = session.key;
  const [ofStream, href] = [orderIdOfStream(entry.stream), pageOf(entry, scopes)];
  const order =
    entry.orderId === null
      ? NONE
      : ofStream === entry.orderId && scopes.has('orders:read')
        ? html`<a class="id" href="${orderPath(entry.orderId)}">${entry.orderId}</a>`
        : text(entry.orderId) === entry.orderId
          ? html`<a class="id" href="${withParameters('/console/audit', { q: entry.orderId })}">${entry.orderId}</a>`
          : html`<span class="id">${text(entry.orderId)}</span>`;
  return html`
    <tr>
      <td class="moment">${entry.receivedAt === null ? NONE : times.time(entry.receivedAt)}</td>
      <th scope="row">${href === null ? html`${entry.type}` : html`<a href="${href}">${entry.type}</a>`}</th>
      <td>${order}</td>
      <td>
        ${status(entry, text)}
        ${entry.utr === null ? null : html`<span class="muted">UTR</span> <code>${shownFact('payouts.utr', entry.utr, personal)}</code>`}
      </td>
      ${verifies ? html`<td>${verdict === null ? NONE : verdictBadge(verdict, VERDICT_WORDS)}</td>` : null}
      <td>
        <details>
          <summary>${entry.position}</summary>
          ${factList(
            [
              ['Event id', html`<code>${entry.eventId}</code>`],
              ['Stream', html`<code>${text(entry.stream)}</code>, revision ${entry.revision}`],
              ['Recorded', times.time(entry.recordedAt)],
              ['Secret', html`<code>${entry.secretId ?? '–'}</code>`],
              ['Body digest', html`<code>${entry.bodySha256 ?? '–'}</code>`],
              ['Record digest', html`<code>${entry.recordSha256 ?? '–'}</code>`],
              ['Request id', html`<code>${entry.requestId ?? '–'}</code>`],
            ],
            'ids',
          )}
        </details>
      </td>
    </tr>
  `;
};

/** Entries of the trail in the order of the log, each with the way to its order and to its signed bytes. */
export const auditTable = (entries: readonly JudgedEntry[], asked: ConsoleQuestion, verifies: boolean): Html =>
  dataTable(
    { label: 'The audit trail', layout: 'trail stacked' },
    ['Received', 'Event', 'Order', 'Status, UTR', ...(verifies ? ['Verified now'] : []), 'Position'],
    entries.map((entry) => row(entry, asked, verifies)),
  );
