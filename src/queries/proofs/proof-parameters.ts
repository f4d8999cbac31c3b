import { isEventId, isOrderId, type EventId, type OrderId } from '../../domain/ids.ts';
import { parameter, parseRevision, type Reader } from '../parameters/parameters.ts';

const size: Reader<number> = {
  expected: 'a whole number from 0',
  schema: { type: 'integer', minimum: 0 },
  read: parseRevision,
};

/** What `GET /v1/proofs/inclusion` takes. */
export const INCLUSION_PARAMETERS = {
  eventId: parameter<EventId>('The event, by its id.', {
    expected: 'the id of an event',
    schema: { type: 'string', format: 'uuid' },
    read: (text) => (isEventId(text) ? text : null),
  }),
  orderId: parameter<OrderId>('The event, by its order; together with `revision`.', {
    expected: 'the id of an order',
    schema: { type: 'string', minLength: 1, maxLength: 200 },
    read: (text) => (isOrderId(text) ? text : null),
  }),
  revision: parameter('The revision of the event in the stream of its order.', size),
  size: parameter('How many leaves the tree is to have: those of the newest checkpoint, or fewer.', size),
} as const;

/** What `GET /v1/proofs/consistency` takes. */
export const CONSISTENCY_PARAMETERS = {
  from: parameter('The size of the smaller tree.', size),
  to: parameter('The size of the larger one, at most that of the newest checkpoint.', size),
} as const;
