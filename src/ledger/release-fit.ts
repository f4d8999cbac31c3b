import type { OrderContent, VerifiedDelivery } from '../domain/delivery.ts';
import { conflictNamesEver } from '../domain/conflict-names.ts';
import type { EventId } from '../domain/ids.ts';
import { parseReleaseData, releaseDataBytes } from '../domain/quarantine-data.ts';
import { readContent, storedContent } from '../domain/read-content.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import { conflictIdsOf } from './conflict-ids.ts';

/** How the data of a `QuarantineReleased` go with the signed bytes that it releases (docs/spec/domain.md, Release). */
export type ReleaseFit =
  | { readonly _tag: 'Fits' }
  | { readonly _tag: 'Unfit' }
  /**
   * It names a conflict that its own delivery does not give the id of: one that another delivery of the same facts brought,
   * whose signature is in the order's stream alone.
   */
  | { readonly _tag: 'OfAnother'; readonly eventId: EventId; readonly content: OrderContent };

const FITS: ReleaseFit = { _tag: 'Fits' };
const UNFIT: ReleaseFit = { _tag: 'Unfit' };

/**
 * A released body was an order event by the rules of the day of its release. If it is one by today's rules too, the release
 * must name the event that they give.
 */
export const releaseFit = (
  data: string,
  { body, signature }: Pick<VerifiedDelivery, 'body' | 'signature'>,
): ReleaseFit => {
  const release = parseReleaseData(data);
  if (release === null || data !== releaseDataBytes(release).toString()) return UNFIT;
  const content = readContent(body);
  if (content._tag === 'Unreadable') return FITS;
  const { eventId, outcome, orderId } = release;
  if (orderId !== content.payload.orderId) return UNFIT;
  const isOrderEvent = eventId === content.eventId;
  if (outcome !== 'conflict') return isOrderEvent ? FITS : UNFIT;
  if (isOrderEvent) return UNFIT;
  return conflictIdsOf(content.payload, signature).includes(eventId) ? FITS : { _tag: 'OfAnother', eventId, content };
};

/** Whether an event of the order is what a release names that fits as `fit` says. */
export const isReleasedAs = (fit: ReleaseFit, event: RecordedEvent): boolean => {
  if (fit._tag !== 'OfAnother') return fit._tag === 'Fits';
  if (event.id !== fit.eventId) return false;
  const content = storedContent(event);
  if (content._tag === 'Unreadable') return false;
  // Names of then too: what a ledger took for the same facts once has two names today, of which they share one.
  const names = conflictNamesEver(fit.content.payload);
  return conflictNamesEver(content.payload).some((name) => names.includes(name));
};
