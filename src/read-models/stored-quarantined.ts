import * as t from 'io-ts';
import { EventIdText, OrderIdText, SecretIdText, Sha256Text, StreamNameText } from '../domain/ids.ts';
import { parseNatively } from '../domain/parse-json.ts';
import { InstantText } from '../domain/instant.ts';
import { PositionText } from '../domain/position.ts';
import type { Quarantined } from './read-models.ts';

/** What does not change of it, whatever becomes of it. */
type Kept = Omit<Quarantined, 'releasedAs' | 'closed'>;

const KeptCodec: { readonly is: t.Is<Kept> } = t.type({
  eventId: EventIdText,
  position: PositionText,
  stream: StreamNameText,
  receivedAt: InstantText,
  secretId: SecretIdText,
  bodySha256: Sha256Text,
  reasons: t.readonlyArray(t.type({ path: t.string, message: t.string })),
  orderId: t.union([OrderIdText, t.null]),
});

/** Reads what a database keeps of a quarantined delivery; null where it is none of today's shape. */
export const readQuarantined = (text: string): Kept | null => {
  const value = parseNatively(text);
  return KeptCodec.is(value) ? value : null;
};
