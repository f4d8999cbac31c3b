import type { VerifiedDelivery } from '../domain/delivery.ts';
import { isOrderId, orderStream, type OrderId } from '../domain/ids.ts';
import type { KnownQuarantine } from './quarantined-bodies.ts';
import type { RecentOrders } from './recent-orders.ts';
import type { Recorded } from './recorded.ts';

type RecallDeps = { readonly recent: RecentOrders; readonly quarantine: Pick<KnownQuarantine, 'bodies'> };

/** How the order id stands in a body that a program wrote; any other spelling is found by reading the body. */
const MEMBER = Buffer.from('"orderId":"');
const QUOTE = '"'.charCodeAt(0);

/** What may be the id of a body's order, told without reading the body; null where nothing looks like one. */
const likelyOrder = (body: Buffer): OrderId | null => {
  const at = body.indexOf(MEMBER);
  if (at === -1) return null;
  const start = at + MEMBER.length;
  const id = body.toString('latin1', start, body.indexOf(QUOTE, start));
  return isOrderId(id) ? id : null;
};

/**
 * What is answered to a delivery whose very bytes are those of an order event that is remembered: a duplicate, as reading
 * the body and deciding over the order would find it to be, at half the cost. Null where that is not known. A wrong guess
 * of the order does no harm: no event of another order has these bytes.
 */
export const recallDelivery =
  ({ recent, quarantine }: RecallDeps) =>
  ({ body, bodySha256 }: VerifiedDelivery): Recorded | null => {
    const { bodies } = quarantine;
    // A body in quarantine may be a release.
    if (bodies === null || bodies.has(bodySha256)) return null;
    const orderId = likelyOrder(body);
    const history = orderId === null ? null : recent.get(orderId);
    const event = history?.events.ofBody(bodySha256);
    return orderId === null || event === undefined
      ? null
      : { outcome: 'duplicate', orderId, stream: orderStream(orderId), event };
  };
