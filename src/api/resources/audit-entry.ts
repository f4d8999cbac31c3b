import { auditEntry as entryOf, type AuditEntry } from '../../../projections/audit-trail/index.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { RecordedEvent } from '../../domain/recorded-event.ts';
import type { EventVerdict } from '../../ledger/verify-event.ts';
import { withMaskedEmails } from '../email-addresses.ts';
import type { PersonalData } from './order-resource.ts';

/** Computes the verdict on an event anew from its stored bytes. */
export type Verify = (event: RecordedEvent) => EventVerdict;

/** An audit entry as callers see it (contract.md, An audit entry), with the verdict on its event where there is one. */
export const entryResource = (entry: AuditEntry, verdict: EventVerdict | null, personal: PersonalData): JsonObject => ({
  position: entry.position,
  stream: entry.stream,
  revision: entry.revision,
  eventId: entry.eventId,
  type: entry.type,
  orderId: entry.orderId,
  // An unlisted status may be any text.
  status: personal === 'shown' || entry.status === null ? entry.status : withMaskedEmails(entry.status),
  utr: entry.utr,
  receivedAt: entry.receivedAt,
  recordedAt: entry.recordedAt,
  secretId: entry.secretId,
  bodySha256: entry.bodySha256,
  requestId: entry.requestId,
  ...(verdict === null ? {} : { verified: verdict.verified }),
});

/** The audit entry of an event with the verdict on it. An event that can't be read has one too: what is unknown of it is null. */
export const auditEntry = (event: RecordedEvent, verify: Verify, personal: PersonalData): JsonObject =>
  entryResource(entryOf(event), verify(event), personal);
