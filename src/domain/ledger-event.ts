import { either as E } from 'fp-ts';
import { readContent } from './read-content.ts';
import { CONFLICTING_DELIVERY } from './event-type.ts';
import { parseMetadata, type EventMetadata } from './event-metadata.ts';
import { factsOf, type OrderFacts } from './order-facts.ts';
import type { OrderPayload } from './payload.ts';
import { signedBytes, type RecordedEvent } from './recorded-event.ts';

/** An event of an order's stream, interpreted by today's rules from its signed bytes. */
export type LedgerEvent = {
  /** `conflict`: other facts under a key that was there already; it changes nothing but counts and anomalies. */
  readonly kind: 'order' | 'conflict';
  readonly recorded: RecordedEvent;
  readonly metadata: EventMetadata;
  readonly payload: OrderPayload;
  readonly facts: OrderFacts;
};

/** A stored event that can't be read as the ledger wrote it: damaged, or written by something else. */
export type UnreadableEvent = {
  readonly _tag: 'UnreadableEvent';
  readonly recorded: RecordedEvent;
  readonly problem: string;
};

const unreadable = (recorded: RecordedEvent, problem: string): E.Either<UnreadableEvent, never> =>
  E.left({ _tag: 'UnreadableEvent', recorded, problem });

/** Reads an event of an order stream. */
export const readLedgerEvent = (recorded: RecordedEvent): E.Either<UnreadableEvent, LedgerEvent> => {
  const metadata = parseMetadata(recorded.metadata);
  if (metadata === null) return unreadable(recorded, 'its metadata is not what the ledger writes');
  const content = readContent(signedBytes(recorded));
  if (content._tag === 'Unreadable') return unreadable(recorded, 'its signed bytes are no order event');
  const { payload } = content;
  const kind = recorded.type === CONFLICTING_DELIVERY ? 'conflict' : 'order';
  return E.right({ kind, recorded, metadata, payload, facts: factsOf(payload) });
};
