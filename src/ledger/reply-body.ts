import type { Recorded } from './recorded.ts';
import type { Spooled } from './spooled.ts';

/**
 * The reply to a delivery that is durable (docs/spec/receiving.md, Replies). Ids, outcome and position hold nothing
 * that JSON escapes, so only the order id, which may hold anything, is written as JSON; the stream's name ends with it.
 */
export const replyBody = (reply: Recorded | Spooled): string => {
  const start = `{"outcome":"${reply.outcome}","orderId":${JSON.stringify(reply.orderId)}`;
  if (reply.outcome === 'spooled') return `${start}}`;
  const { eventId, revision, position } = reply.event;
  return (
    `${start},"eventId":"${eventId}",` +
    `"stream":${JSON.stringify(reply.stream)},"revision":${revision},"position":"${position}"}`
  );
};
