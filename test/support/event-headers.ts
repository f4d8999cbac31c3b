import { branded } from '../../src/domain/brand.ts';
import type { SecretId } from '../../src/domain/ids.ts';
import { orderEvent } from '../../src/domain/new-event.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { positionAt } from '../../src/domain/position.ts';
import type { EventHeader } from '../../src/domain/recorded-event.ts';
import { bodyOf, onRamp, orderContent, signatureOf, verifiedDelivery } from './payloads.ts';
import { recordedEvent } from './recorded-event.ts';

/** An event as a look at the log finds it, in ms since the epoch. */
export type SomeEvent = {
  readonly position: number;
  readonly receivedMs: number;
  readonly recordedMs?: number;
  readonly secretId?: string;
};

export const eventHeader = ({ position, receivedMs, recordedMs, secretId = 'primary' }: SomeEvent): EventHeader => {
  const body = bodyOf(onRamp());
  const verified = verifiedDelivery(body, {
    signature: signatureOf(body),
    receivedAt: instantOf(receivedMs),
    secretId: branded<SecretId>(secretId),
  });
  return recordedEvent(orderEvent(verified, orderContent(body.toString())), {
    position: positionAt(position),
    recordedAt: instantOf(recordedMs ?? receivedMs),
  });
};
