import * as t from 'io-ts';
import { described } from '../openapi/described.ts';

const orderId = described(t.union([t.string, t.null]), 'The order that the body names; null where none can be read.');

const place = {
  eventId: described(t.string, 'Of a duplicate the event that was there, of a conflict its `ConflictingDelivery`.', {
    format: 'uuid',
  }),
  stream: described(t.string, '`order-` and the order id, or `quarantine-` and the digest of the body.'),
  revision: described(t.number, 'The place of the event in its stream, from 0.', { type: 'integer', minimum: 0 }),
  position: described(t.string, 'The place of the event in the whole log: opaque, for `position=`.'),
};

/**
 * The answer to a delivery that is durable in the event store (docs/spec/receiving.md, Replies); `replyBody` writes it.
 */
export const DeliveryAnswer = t.strict(
  {
    outcome: t.keyof({ recorded: null, duplicate: null, conflict: null, quarantined: null }),
    orderId,
    ...place,
  },
  'DeliveryAnswer',
);

/**
 * The answer to a delivery that is durable on this machine while the event store is away (docs/spec/receiving.md,
 * Replies).
 */
export const SpooledAnswer = t.strict({ outcome: t.literal('spooled'), orderId }, 'SpooledAnswer');
