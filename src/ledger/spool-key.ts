import type { Delivery } from '../domain/delivery.ts';
import { orderStream, quarantineStream, type OrderId } from '../domain/ids.ts';

/** The order that a delivery names; null where none can be read. */
export const orderNamed = ({ content }: Delivery): OrderId | null =>
  content._tag === 'OrderEvent' ? content.payload.orderId : content.orderId;

/** What deliveries have in common that must stay in order: their order, or, where they name none, their very bytes. No two overlap. */
export const spoolKey = (delivery: Delivery): string => {
  const orderId = orderNamed(delivery);
  return orderId === null ? quarantineStream(delivery.verified.bodySha256) : orderStream(orderId);
};
