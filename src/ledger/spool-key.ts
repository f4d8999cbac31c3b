import type { Delivery } from '../domain/delivery.ts';
import { orderStream, quarantineStream, type OrderId } from '../domain/ids.ts';

/** The order that a delivery names; null where none can be read. */
export const orderNamed = ({ content }: Delivery): OrderId | null =>
  content._tag === 'OrderEvent' ? content.payload.orderId : content.orderId;

/** The key of deliveries that must stay in their order of arrival: the stream of the order that they name, or, where they name none, that of their bytes in quarantine. */
export const spoolKey = (delivery: Delivery): string => {
  const orderId = orderNamed(delivery);
  return orderId === null ? quarantineStream(delivery.verified.bodySha256) : orderStream(orderId);
};
