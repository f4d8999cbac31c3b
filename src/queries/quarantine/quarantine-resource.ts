import * as t from 'io-ts';
import type { Reason } from '../../domain/reason.ts';
import type { Quarantined } from '../../read-models/read-models.ts';
import { maskedMemberPath } from '../masking/masking.ts';
import type { PersonalData } from '../masking/personal-data.ts';
import { pageOf } from '../resources/page.ts';
import { instant, sha256, text, textOrNull, uuid } from '../resources/values.ts';

const ReasonResource = t.strict({
  path: text('The member of the body; empty for the body itself.'),
  message: text('What is wrong with it.'),
});

const QuarantineResource = t.strict(
  {
    eventId: uuid('The id of the `DeliveryQuarantined` event.'),
    position: text('Its place in the whole log: opaque.'),
    receivedAt: instant('When the delivery was received.'),
    secretId: text('The id of the secret that signed it.'),
    bodySha256: sha256('The SHA-256 of the signed bytes.'),
    reasons: t.readonlyArray(ReasonResource),
    orderId: textOrNull('The order that the body names; null where it names none.'),
    releasedAs: textOrNull('The id of the event that it became; null as long as it is none.'),
  },
  'QuarantinedDelivery',
);

export const QuarantinePageResource = pageOf(QuarantineResource, 'QuarantinePage');

/** A reason names a member of the body, and a body may have members of any name; its message holds nothing that came. */
const reasonResource = ({ path, message }: Reason, personal: PersonalData): t.TypeOf<typeof ReasonResource> => ({
  path: personal === 'shown' ? path : maskedMemberPath(path),
  message,
});

/** A quarantined delivery as callers see it, its members in the order of docs/spec/http.md, Quarantine. */
export const quarantineResource = (
  quarantined: Quarantined,
  personal: PersonalData,
): t.TypeOf<typeof QuarantineResource> => ({
  eventId: quarantined.eventId,
  position: quarantined.position,
  receivedAt: quarantined.receivedAt,
  secretId: quarantined.secretId,
  bodySha256: quarantined.bodySha256,
  reasons: quarantined.reasons.map((reason) => reasonResource(reason, personal)),
  orderId: quarantined.orderId,
  releasedAs: quarantined.releasedAs,
});
