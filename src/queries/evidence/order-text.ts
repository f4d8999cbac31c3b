import * as E from 'fp-ts/lib/Either.js';
import type { Instant } from '../../domain/instant.ts';
import type { RecordedEvent } from '../../domain/recorded-event.ts';
import type { UnreadableEvent } from '../../domain/unreadable-event.ts';
import type { NotFound } from '../failure/query-failure.ts';
import { orderFrom } from '../orders/one-order.ts';
import { OrderResource, orderResource } from '../orders/order-resource.ts';

/** The order that events give at a time, as callers see it with personal data, written for people too. */
export const orderText = (
  events: readonly RecordedEvent[],
  at: Instant,
): E.Either<UnreadableEvent | NotFound, string> =>
  E.map((order: Parameters<typeof orderResource>[0]) => {
    const resource = OrderResource.encode(orderResource(order, 'shown'));
    return `${JSON.stringify(resource, null, 2)}\n`;
  })(orderFrom(events, null, at));
