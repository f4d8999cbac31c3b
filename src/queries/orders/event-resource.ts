import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { EventMetadata } from '../../domain/event-metadata.ts';
import { EVENT_TYPES } from '../../domain/event-type.ts';
import type { LedgerEvent } from '../../domain/ledger-event.ts';
import { OffRampPayload, OnRampPayload } from '../../domain/payload.ts';
import { metadataOf, type UnreadableEvent } from '../../domain/unreadable-event.ts';
import { described } from '../../openapi/described.ts';
import { masked } from '../masking/masking.ts';
import type { PersonalData } from '../masking/personal-data.ts';
import { pageOf } from '../resources/page.ts';
import { count, instant, oneOfWords, sha256, text, uuid } from '../resources/values.ts';

const WITH_A_SCOPE = 'only with `audit:read` or `pii:read`, since what is masked could be guessed by it.';

/** An event of an order stream (docs/spec/http.md, An event). */
export const EventResource = t.strict(
  {
    stream: text('`order-` and the order id.'),
    revision: count('Its place in the stream, from 0.'),
    position: text('Its place in the whole log: opaque.'),
    eventId: uuid('Follows from order id, status and utr; that of a conflict from the facts too.'),
    type: oneOfWords<string>(EVENT_TYPES, 'What happened.'),
    recordedAt: instant('When the store recorded it.'),
    data: described(
      t.union([OnRampPayload, OffRampPayload]),
      'The payload with every member that came; personal ones are masked without `pii:read`.',
    ),
    metadata: t.exact(
      t.intersection([
        t.type({
          schemaVersion: described(t.literal(1), 'The form of this metadata.'),
          receivedAt: instant('When the delivery was received.'),
          secretId: text('The id of the secret that verified it.'),
          requestId: text('The id of the request that brought it.'),
          $correlationId: text('The order id.'),
        }),
        t.partial({
          signature: described(t.string, `The signature as it came; ${WITH_A_SCOPE}`, {
            pattern: '^[0-9A-Fa-f]{64}$',
          }),
          bodySha256: sha256(`The SHA-256 of the signed bytes; ${WITH_A_SCOPE}`),
          recordSha256: sha256(`A digest over everything that the ledger keeps of the event; ${WITH_A_SCOPE}`),
        }),
      ]),
    ),
  },
  'Event',
);

export const EventList = pageOf(EventResource, 'EventList');

/**
 * An event as callers see it (docs/spec/http.md, An event). Its data is read from the signed bytes, each number with
 * the digits that came. Left where its metadata is damaged.
 */
export const eventResource = (
  { recorded, payload }: LedgerEvent,
  personal: PersonalData,
): E.Either<UnreadableEvent, t.TypeOf<typeof EventResource>> =>
  E.map((metadata: EventMetadata) => ({
    stream: recorded.stream,
    revision: recorded.revision,
    position: recorded.position,
    eventId: recorded.id,
    type: recorded.type,
    recordedAt: recorded.recordedAt,
    data: personal === 'shown' ? payload : masked(payload),
    metadata: {
      schemaVersion: metadata.schemaVersion,
      receivedAt: metadata.receivedAt,
      ...(personal === 'guarded' ? {} : { signature: metadata.signature }),
      secretId: metadata.secretId,
      ...(personal === 'guarded' ? {} : { bodySha256: metadata.bodySha256, recordSha256: metadata.recordSha256 }),
      requestId: metadata.requestId,
      $correlationId: metadata.$correlationId,
    },
  }))(metadataOf(recorded));
