import * as t from 'io-ts';
import { EventIdText, OrderIdText, SecretIdText, Sha256Text, StreamNameText } from '../domain/ids.ts';
import { parseNatively } from '../domain/parse-json.ts';
import { InstantText } from '../domain/instant.ts';
import { PositionText } from '../domain/position.ts';
import type { Quarantined } from './read-models.ts';

const QuarantinedCodec: { readonly is: t.Is<Quarantined> } = t.type({
  eventId: EventIdText,
  position: PositionText,
  stream: StreamNameText,
  receivedAt: InstantText,
  secretId: SecretIdText,
  bodySha256: Sha256Text,
  reasons: t.readonlyArray(t.type({ path: t.string, message: t.string })),
  orderId: t.union([OrderIdText, t.null]),
  releasedAs: t.null,
});

/** Reads what a database keeps of a quarantined delivery; null where it is none of today's shape. */
export const readQuarantined = (text: string): Quarantined | null => {
  const value = parseNatively(text);
  return QuarantinedCodec.is(value) ? value : null;
};
