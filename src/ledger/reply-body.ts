import type { Recorded } from './recorded.ts';

/**
 * The reply to a delivery that is durable (contract.md, Receiving). Ids, outcome and position hold nothing that JSON
 * escapes, so only the order id, which may hold anything, is written as JSON; the stream's name ends with it.
 */
export const replyBody = ({ outcome, orderId, stream, place }: Recorded): string => {
  const { eventId, revision, position } = place;
  return (
    `{"outcome":"${outcome}","orderId":${JSON.stringify(orderId)},"eventId":"${eventId}",` +
    `"stream":${JSON.stringify(stream)},"revision":${revision},"position":"${position}"}`
  );
};
