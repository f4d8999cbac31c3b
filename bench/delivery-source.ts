import { randomBytes } from 'node:crypto';
import { instantOf } from '../src/domain/instant.ts';
import type { Delivery } from './ingest-mode.ts';
import { orderPayload } from './order-payload.ts';
import { signedDelivery, type SignedDelivery } from './signed-delivery.ts';

/** Makes the deliveries that stand at so many places of a run. */
export type DeliverySource = (from: number, count: number) => readonly SignedDelivery[];

/** Orders of a run that no other one shares. */
export const newDeliveries = (deliveryAt: (place: number) => Delivery): DeliverySource => {
  const run = randomBytes(16).toString('hex');
  const startedAt = Date.now();
  return (from, count) =>
    Array.from({ length: count }, (_, i) =>
      signedDelivery(orderPayload(run, startedAt, deliveryAt(from + i)), instantOf(Date.now())),
    );
};
