import * as t from 'io-ts';
import { QUARANTINE_STATES, type QuarantineState } from '../../domain/quarantine-state.ts';
import type { Reason } from '../../domain/reason.ts';
import type { Closing, Quarantined } from '../../read-models/read-models.ts';
import { maskedMemberPath } from '../masking/masking.ts';
import type { PersonalData } from '../masking/personal-data.ts';
import { shownText } from '../masking/shown-text.ts';
import { pageOf } from '../resources/page.ts';
import { instant, oneOfWords, sha256, text, textOrNull, uuid } from '../resources/values.ts';

const ReasonResource = t.strict({
  path: text('The member of the body; empty for the body itself.'),
  message: text('What is wrong with it.'),
});

/** Who closed a delivery, when and why. */
export const ClosingResource = t.strict(
  {
    at: instant('When.'),
    by: text('The id of the API key, or `command-line`.'),
    note: text('What was noted.'),
  },
  'QuarantineClosing',
);

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
    state: oneOfWords(QUARANTINE_STATES, 'What became of it.'),
    closed: t.union([ClosingResource, t.null]),
  },
  'QuarantinedDelivery',
);

export const QuarantinePageResource = pageOf(QuarantineResource, 'QuarantinePage');

/** A reason names a member of the body, and a body may have members of any name; its message holds nothing that came. */
const reasonResource = ({ path, message }: Reason, personal: PersonalData): t.TypeOf<typeof ReasonResource> => ({
  path: personal === 'shown' ? path : maskedMemberPath(path),
  message,
});

/** What became of a delivery: one that was released is no longer closed, whatever was said before. */
export const quarantineState = ({ releasedAs, closed }: Pick<Quarantined, 'releasedAs' | 'closed'>): QuarantineState =>
  releasedAs !== null ? 'released' : closed === null ? 'open' : 'closed';

/** Who closed a delivery, and why, as callers see it: whoever may not read personal data sees no e-mail address in the note. */
export const closingResource = (
  { at, by, note }: Omit<Closing, 'eventId'>,
  personal: PersonalData,
): t.TypeOf<typeof ClosingResource> => ({
  at,
  by,
  note: shownText(note, personal),
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
  state: quarantineState(quarantined),
  closed: quarantined.closed === null ? null : closingResource(quarantined.closed, personal),
});
