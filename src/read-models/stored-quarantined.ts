import * as t from 'io-ts';
import { guardedText } from '../domain/guarded-text.ts';
import { isEventId, isOrderId, isSha256, type SecretId, type StreamName } from '../domain/ids.ts';
import { parseNatively } from '../domain/parse-json.ts';
import { parseInstant, type Instant } from '../domain/instant.ts';
import { PositionText } from '../domain/position.ts';
import type { Quarantined } from './read-models.ts';

const QuarantinedCodec: { readonly is: t.Is<Quarantined> } = t.type({
  eventId: guardedText('event id', isEventId),
  position: PositionText,
  stream: guardedText('stream', (text): text is StreamName => text !== ''),
  receivedAt: guardedText('instant', (text): text is Instant => parseInstant(text) === text),
  secretId: guardedText('secret id', (text): text is SecretId => text !== ''),
  bodySha256: guardedText('sha-256', isSha256),
  reasons: t.readonlyArray(t.type({ path: t.string, message: t.string })),
  orderId: t.union([guardedText('order id', isOrderId), t.null]),
  releasedAs: t.null,
});

/** Reads what a database keeps of a quarantined delivery; null where it is none of today's shape. */
export const readQuarantined = (text: string): Quarantined | null => {
  const value = parseNatively(text);
  return QuarantinedCodec.is(value) ? value : null;
};
