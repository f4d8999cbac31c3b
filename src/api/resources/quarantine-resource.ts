import type { JsonObject } from '../../domain/json.ts';
import type { Reason } from '../../domain/reason.ts';
import type { Quarantined } from '../../read-models/read-models.ts';
import { maskedMemberPath } from '../masking.ts';
import type { PersonalData } from './order-resource.ts';

/** A reason names a member of the body, and a body may have members of any name; its message holds nothing that came. */
const reasonResource = ({ path, message }: Reason, personal: PersonalData): JsonObject => ({
  path: personal === 'shown' ? path : maskedMemberPath(path),
  message,
});

/** A quarantined delivery as callers see it, its members in the order of contract.md, `GET /v1/quarantine`. */
export const quarantineResource = (quarantined: Quarantined, personal: PersonalData): JsonObject => ({
  eventId: quarantined.eventId,
  position: quarantined.position,
  receivedAt: quarantined.receivedAt,
  secretId: quarantined.secretId,
  bodySha256: quarantined.bodySha256,
  reasons: quarantined.reasons.map((reason) => reasonResource(reason, personal)),
  orderId: quarantined.orderId,
  releasedAs: quarantined.releasedAs,
});
