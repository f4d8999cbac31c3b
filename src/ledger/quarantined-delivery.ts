import * as E from 'fp-ts/lib/Either.js';
import type { VerifiedDelivery } from '../domain/delivery.ts';
import { parseMetadata } from '../domain/event-metadata.ts';
import { DELIVERY_QUARANTINED, QUARANTINE_RELEASED } from '../domain/event-type.ts';
import { unreadableEvent, type UnreadableEvent } from '../domain/unreadable-event.ts';
import { parseReleaseData, type ReleaseData } from '../domain/quarantine-data.ts';
import { signedBytes, type RecordedEvent } from '../domain/recorded-event.ts';
import type { KnownEvent } from './known-events.ts';
import { knownEvent } from './order-history.ts';
import { verifyEvent } from './verify-event.ts';

/** A delivery in quarantine, as it came, and its release where it had one. */
export type QuarantinedDelivery = {
  readonly verified: VerifiedDelivery;
  /** Its `DeliveryQuarantined`. */
  readonly quarantined: KnownEvent;
  readonly release: { readonly recorded: RecordedEvent; readonly data: ReleaseData } | null;
};

/** A damaged delivery is not released. The signature needs no check here: it was verified on receipt, and `verify` checks it again. */
const isWhole = (event: RecordedEvent): boolean => verifyEvent(event, () => null).verified !== 'no';

const releaseOf = (event: RecordedEvent | undefined): E.Either<UnreadableEvent, QuarantinedDelivery['release']> => {
  if (event === undefined) return E.right(null);
  const data = event.type === QUARANTINE_RELEASED && isWhole(event) ? parseReleaseData(event.data) : null;
  return data === null
    ? E.left(unreadableEvent(event, 'it is no release that the ledger wrote'))
    : E.right({ recorded: event, data });
};

/** Reads a quarantine stream; null for one that is not there. */
export const quarantinedDelivery = (
  events: readonly RecordedEvent[],
): E.Either<UnreadableEvent, QuarantinedDelivery | null> => {
  const [first, second] = events;
  if (first === undefined) return E.right(null);
  const metadata = first.type === DELIVERY_QUARANTINED && isWhole(first) ? parseMetadata(first.metadata) : null;
  if (metadata === null) return E.left(unreadableEvent(first, 'it is no quarantined delivery that the ledger wrote'));
  const { signature, secretId, receivedAt, requestId, bodySha256 } = metadata;
  const verified = { body: signedBytes(first), bodySha256, signature, secretId, receivedAt, requestId };
  return E.map((release: QuarantinedDelivery['release']) => ({ verified, quarantined: knownEvent(first), release }))(
    releaseOf(second),
  );
};
