import type { JsonObject } from '../domain/json.ts';
import type { Delivery, DeliveryAnswer } from './delivery-log.ts';

const answerResource = (answer: DeliveryAnswer): JsonObject =>
  'error' in answer
    ? { error: answer.error, durationMs: answer.durationMs }
    : { status: answer.status, body: answer.body, durationMs: answer.durationMs };

/** A delivery as `GET /sandbox/deliveries` shows it: what was sent, when, and what was answered. */
export const deliveryResource = ({ number, parcel, attempt, sentAt, answer }: Delivery): JsonObject => ({
  number,
  orderId: parcel.orderId,
  status: parcel.status,
  utr: parcel.utr,
  kind: parcel.kind,
  attempt,
  sentAt,
  signature: parcel.signature,
  body: parcel.body.toString(),
  answer: answer === null ? null : answerResource(answer),
});
