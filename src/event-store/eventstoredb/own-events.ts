import type { AllStreamResolvedEvent } from '@eventstore/db-client';
import * as E from 'fp-ts/lib/Either.js';
import type { StreamName } from '../../domain/ids.ts';
import type { RecordedEvent } from '../../domain/recorded-event.ts';
import type { StoreUnavailable } from '../event-store.ts';
import { asUnavailable, unavailable, type StoreFailure } from './store-failure.ts';
import type { StreamNames } from './stream-names.ts';
import { fromWire } from './wire-event.ts';

/** Events that were read together, in the order of the log. */
export type Batch = E.Either<StoreUnavailable, readonly RecordedEvent[]>;

/** The stream of an event of the ledger's; null for one of others, and for what the server itself put into one: a tombstone. */
export const ownStream = (names: StreamNames, event: AllStreamResolvedEvent['event']): StreamName | null =>
  event === undefined || event.type.startsWith('$') ? null : names.own(event.streamId);

/** The ledger's own events among what was read, with their names. */
export const ownEvents = (
  names: StreamNames,
  read: E.Either<StoreFailure, readonly AllStreamResolvedEvent[]>,
): Batch => {
  if (E.isLeft(read)) return E.left(asUnavailable(read.left));
  const events: RecordedEvent[] = [];
  for (const { event } of read.right) {
    const stream = ownStream(names, event);
    if (event === undefined || stream === null) continue;
    const recorded = fromWire(event, stream);
    if (E.isLeft(recorded)) return E.left(unavailable(recorded.left));
    events.push(recorded.right);
  }
  return E.right(events);
};
