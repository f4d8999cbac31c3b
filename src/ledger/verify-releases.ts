import * as E from 'fp-ts/lib/Either.js';
import { parseMetadata } from '../domain/event-metadata.ts';
import { QUARANTINE_RELEASED } from '../domain/event-type.ts';
import { orderStream } from '../domain/ids.ts';
import { signedBytes } from '../domain/recorded-event.ts';
import type { EventStore, StoreUnavailable } from '../event-store/event-store.ts';
import type { StreamEvents } from '../event-store/parted-log.ts';
import { isReleasedAs, releaseFit } from './release-fit.ts';
import { failureOf, type EventFailure } from './verify-stream.ts';

/**
 * Proves of the releases in a stream what they alone don't tell: that a conflict which another delivery brought is in the
 * order that they name, and states the facts of the body. Few releases name one, so few orders are read for it.
 */
export const verifyReleases = async (
  store: Pick<EventStore, 'readStream'>,
  { stream, events }: StreamEvents,
): Promise<E.Either<StoreUnavailable, readonly EventFailure[]>> => {
  const failures: EventFailure[] = [];
  for (const event of events) {
    if (event.type !== QUARANTINE_RELEASED || event.stream !== stream) continue;
    const metadata = parseMetadata(event.metadata);
    const fit = metadata === null ? null : releaseFit(event.data, { ...metadata, body: signedBytes(event) });
    if (fit?._tag !== 'OfAnother') continue;
    const there = await store.readStream(orderStream(fit.content.payload.orderId))();
    if (E.isLeft(there)) return there;
    if (!there.right.some((named) => isReleasedAs(fit, named))) failures.push(failureOf(event, 'data-mismatch'));
  }
  return E.right(failures);
};
