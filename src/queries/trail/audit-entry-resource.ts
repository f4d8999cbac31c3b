import * as t from 'io-ts';
import { auditEntry, type AuditEntry } from '../../../projections/audit-trail/index.ts';
import type { RecordedEvent } from '../../domain/recorded-event.ts';
import type { EventVerdict } from '../../ledger/verify-event.ts';
import { shownFact, shownText } from '../masking/shown-text.ts';
import type { PersonalData } from '../masking/personal-data.ts';
import { pageOf } from '../resources/page.ts';
import { count, instant, instantOrNull, oneOfWords, text, textOrNull, uuid } from '../resources/values.ts';

/** What an event that is damaged does not tell is null, and what only a delivery has is null in an event of the ledger itself. */
const entry = {
  position: text('The place of the event in the whole log: opaque.'),
  stream: text(
    '`order-` and the order id, `quarantine-` and the digest of the body, or a stream of the ledger itself.',
  ),
  revision: count('The place of the event in its stream, from 0.'),
  eventId: uuid('The id of the event.'),
  type: text('The type of the event.'),
  orderId: textOrNull('The order; null where the body names none.'),
  status: textOrNull('The status that was delivered.'),
  utr: textOrNull('The payout reference that was delivered.'),
  receivedAt: instantOrNull('When the delivery was received, or the ledger was told.'),
  recordedAt: instant('When the store recorded the event.'),
  secretId: textOrNull('The id of the secret that signed the delivery.'),
  bodySha256: textOrNull('The SHA-256 of the signed bytes, in hex.'),
  recordSha256: textOrNull('A digest over everything that the ledger keeps of the event.'),
  requestId: textOrNull('The id of the request that brought it.'),
};

const verified = oneOfWords(
  ['yes', 'no', 'unknown-secret', 'unsigned'],
  'Computed now from the stored bytes; `unsigned`: an event of the ledger itself, whose digest holds.',
);

/** An audit entry of one order (docs/spec/http.md, An audit entry). */
const VerifiedEntry = t.strict({ ...entry, verified }, 'VerifiedAuditEntry');

/** An audit entry of a list. */
const ListedEntry = t.exact(t.intersection([t.type(entry), t.partial({ verified })]), 'AuditEntry');

export const VerifiedEntries = pageOf(VerifiedEntry, 'OrderAudit');

export const AuditPageResource = pageOf(ListedEntry, 'AuditPage');

/**
 * An audit entry as callers see it (docs/spec/http.md, An audit entry), with the verdict on its event where there is
 * one.
 */
export const entryResource = (
  { status, ...of }: AuditEntry,
  verdict: EventVerdict | null,
  personal: PersonalData,
): t.TypeOf<typeof ListedEntry> => ({
  position: of.position,
  stream: of.stream,
  revision: of.revision,
  eventId: of.eventId,
  type: of.type,
  orderId: of.orderId,
  // An unlisted status may be any text.
  status: status === null ? null : shownText(status, personal),
  utr: of.utr === null ? null : shownFact('payouts.utr', of.utr, personal),
  receivedAt: of.receivedAt,
  recordedAt: of.recordedAt,
  secretId: of.secretId,
  bodySha256: of.bodySha256,
  recordSha256: of.recordSha256,
  requestId: of.requestId,
  ...(verdict === null ? {} : { verified: verdict.verified }),
});

/** The audit entry of an event with the verdict on it. An event that can't be read has one too: what is unknown of it is null. */
export const verifiedEntryResource = (
  event: RecordedEvent,
  { verified: verdict }: EventVerdict,
  personal: PersonalData,
): t.TypeOf<typeof VerifiedEntry> => ({ ...entryResource(auditEntry(event), null, personal), verified: verdict });
