import { isOrderId } from '../domain/ids.ts';

/** The id stands near the start of a body; more is not looked through for what nobody has proved. */
const LOOKED_AT = 4_096;

const ORDER_ID = /"orderId"\s?:\s?"([^"\\]{1,200})"/;

/** The order that an unproved body names; null where none can be told at a glance. */
export const declaredOrder = (body: Buffer): string | null => {
  const [, orderId = ''] = ORDER_ID.exec(body.subarray(0, LOOKED_AT).toString()) ?? [];
  return isOrderId(orderId) ? orderId : null;
};
