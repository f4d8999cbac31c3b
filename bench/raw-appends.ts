import { NO_STREAM, type AppendToStreamOptions, type EventData, type EventStoreDBClient } from '@eventstore/db-client';
import { orderEvent } from '../src/domain/new-event.ts';
import { toWire } from '../src/event-store/eventstoredb/wire-event.ts';
import type { Appends } from './append-stretch.ts';
import type { DeliverySource } from './delivery-source.ts';

/**
 * The ledger's own events, each to a new stream, by the client alone: nothing is read, and nothing is looked at but the
 * answer. With credentials of its own an append is a unary call, without them it joins the client's batch.
 *
 * @param prefix before each stream's name; together they must be no name of a ledger's stream
 */
export const rawAppends = (
  client: EventStoreDBClient,
  options: Pick<AppendToStreamOptions, 'credentials'>,
  prefix: string,
  source: DeliverySource,
): Appends => {
  let prepared: readonly { readonly stream: string; readonly event: EventData }[] = [];
  return {
    prepare: (from, count) => {
      prepared = source(from, count).map(({ verified, content }) => {
        const { stream, event } = orderEvent(verified, content);
        return { stream: `${prefix}${stream}`, event: toWire(event) };
      });
    },
    append: async (index) => {
      const one = prepared[index];
      if (one === undefined) throw new Error('told to append what was not prepared');
      const { success, nextExpectedRevision } = await client.appendToStream(one.stream, one.event, {
        expectedRevision: NO_STREAM,
        ...options,
      });
      if (!success || nextExpectedRevision !== 0n) throw new Error(`stream ${one.stream} was not new`);
    },
    repeats: false,
  };
};
